// structuredClone (HTML Standard) for what a guest can have, without recursion.

const ERROR_CLASSES: Record<string, ErrorConstructor> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

/** Copies a value with everything that it refers to; cycles and shared references are kept. */
export function structuredClone(value: unknown, options?: { transfer?: Iterable<unknown> }): unknown {
  const transfer = new Set(options?.transfer ?? []);
  for (const item of transfer) {
    if (!(item instanceof ArrayBuffer)) throw cannotClone('a value of the transfer list');
  }
  const pass = new ClonePass(transfer);
  const copy = pass.copy(value);
  pass.fill();
  for (const buffer of transfer) (buffer as ArrayBuffer & { transfer?(): ArrayBuffer }).transfer?.();
  return copy;
}

function cannotClone(what: string): Error {
  return new DOMException(`${what} could not be cloned`, 'DataCloneError');
}

class ClonePass {
  readonly #copies = new Map<object, unknown>();
  readonly #unfinished: (() => void)[] = [];

  constructor(readonly transfer: ReadonlySet<unknown>) {}

  /** The copy of a value; what is inside objects is copied by `fill`. */
  copy(value: unknown): unknown {
    if (typeof value === 'symbol' || typeof value === 'function') throw cannotClone(String(value).slice(0, 100));
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    const made = this.#make(value);
    this.#copies.set(value, made);
    return made;
  }

  fill(): void {
    for (let next = this.#unfinished.pop(); next; next = this.#unfinished.pop()) next();
  }

  #make(value: object): object {
    if (Array.isArray(value)) return this.#withKeys(value, new Array(value.length));
    if (ArrayBuffer.isView(value)) return this.#view(value);
    switch (builtinTag(value)) {
      case 'Boolean':
        return Object(Boolean.prototype.valueOf.call(value));
      case 'Number':
        return Object(Number.prototype.valueOf.call(value));
      case 'String':
        return Object(String.prototype.valueOf.call(value));
      case 'BigInt':
        return Object(BigInt.prototype.valueOf.call(value));
      case 'Date':
        return new Date(Date.prototype.getTime.call(value));
      case 'RegExp':
        return new RegExp((value as RegExp).source, (value as RegExp).flags);
      case 'ArrayBuffer':
        return ArrayBuffer.prototype.slice.call(value as ArrayBuffer, 0);
      case 'Map':
        return this.#map(value as Map<unknown, unknown>);
      case 'Set':
        return this.#set(value as Set<unknown>);
      case 'Error':
        return this.#error(value as Error);
      case 'Object':
        return this.#withKeys(value, {});
      default:
        throw cannotClone(`#<${builtinTag(value)}>`);
    }
  }

  #withKeys<T extends object>(source: object, target: T): T {
    this.#unfinished.push(() => {
      for (const key of Object.keys(source)) {
        const value = this.copy((source as Record<string, unknown>)[key]);
        Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
      }
    });
    return target;
  }

  #map(source: Map<unknown, unknown>): Map<unknown, unknown> {
    const target = new Map();
    const entries: unknown[] = [];
    Map.prototype.forEach.call(source, (value, key) => entries.push(key, value));
    this.#unfinished.push(() => {
      for (let index = 0; index < entries.length; index += 2) {
        const key = this.copy(entries[index]);
        target.set(key, this.copy(entries[index + 1]));
      }
    });
    return target;
  }

  #set(source: Set<unknown>): Set<unknown> {
    const target = new Set();
    const values: unknown[] = [];
    Set.prototype.forEach.call(source, (value) => values.push(value));
    this.#unfinished.push(() => {
      for (const value of values) target.add(this.copy(value));
    });
    return target;
  }

  #view(source: ArrayBufferView): ArrayBufferView {
    const buffer = this.copy(source.buffer) as ArrayBuffer;
    if (source instanceof DataView) return new DataView(buffer, source.byteOffset, source.byteLength);
    const Typed = (
      globalThis as unknown as Record<string, new (buffer: ArrayBuffer, at: number, n: number) => ArrayBufferView>
    )[typedArrayName.call(source)]!;
    return new Typed(buffer, source.byteOffset, (source as Uint8Array).length);
  }

  #error(source: Error): Error {
    const named = String(source.name);
    const Class = Object.hasOwn(ERROR_CLASSES, named) ? ERROR_CLASSES[named]! : Error;
    const message = Object.getOwnPropertyDescriptor(source, 'message');
    const target: Error = Object.create(Class.prototype);
    // Made by the constructor, so that it is an error to the engine too.
    const made = message && 'value' in message ? new Class(String(message.value)) : new Class();
    Object.setPrototypeOf(made, Object.getPrototypeOf(target));
    const { stack } = source;
    if (typeof stack === 'string') {
      Object.defineProperty(made, 'stack', { value: stack, writable: true, enumerable: false, configurable: true });
    }
    if (Object.hasOwn(source, 'cause')) {
      this.#unfinished.push(() => {
        const value = this.copy(source.cause);
        Object.defineProperty(made, 'cause', { value, writable: true, enumerable: false, configurable: true });
      });
    }
    return made;
  }
}

const typedArrayName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!
  .get as () => string;

const BRANDS: readonly (readonly [tag: string, isOne: (value: object) => unknown])[] = [
  ['Map', (value) => mapSize.call(value)],
  ['Set', (value) => setSize.call(value)],
  ['ArrayBuffer', (value) => bufferLength.call(value)],
  ['WeakMap', (value) => WeakMap.prototype.has.call(value as WeakMap<object, unknown>, value)],
  ['WeakSet', (value) => WeakSet.prototype.has.call(value as WeakSet<object>, value)],
  ['WeakRef', (value) => WeakRef.prototype.deref.call(value as WeakRef<object>)],
  ['Promise', (value) => isPromise(value)],
];
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size')!.get as () => number;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size')!.get as () => number;
const bufferLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')!.get as () => number;

function isPromise(value: object): void {
  if (!(value instanceof Promise)) throw new TypeError('not a promise');
}

/** What an object is to the engine, whatever its class says. */
function builtinTag(value: object): string {
  const tag = plainTag(value);
  if (tag !== 'Object') return tag;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return tag;
  for (const [name, isOne] of BRANDS) {
    try {
      isOne(value);
      return name;
    } catch {
      // Of another kind.
    }
  }
  return tag;
}

function plainTag(value: object): string {
  const shown = Object.prototype.toString.call(value).slice(8, -1);
  return /^(?:Boolean|Number|String|Date|RegExp|Error)$/.test(shown) && !(Symbol.toStringTag in value)
    ? shown
    : isBoxedBigInt(value)
      ? 'BigInt'
      : 'Object';
}

function isBoxedBigInt(value: object): boolean {
  if (!(value instanceof BigInt)) return false;
  return typeof BigInt.prototype.valueOf.call(value) === 'bigint';
}
