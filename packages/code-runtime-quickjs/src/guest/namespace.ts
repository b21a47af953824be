// Namespace objects: frozen, made of names that the worker keeps, each member made at first access.
import { freezeJson, parseWrittenJson } from '@codeseam/lossless-json';
import type { HostFunctions } from './host-functions.ts';
import {
  createObject,
  define,
  freeze,
  mapGet,
  mapSet,
  nativeParse,
  nativeStringify,
  ownKeys,
  RealMap,
  RealProxy,
  RealTypeError,
  slice,
} from './intrinsics.ts';

/** Names that engines and programs ask any object for; undefined where they are no members. */
const ASKED_OF_ANY_OBJECT = createObject(null) as Record<string, true>;
ASKED_OF_ANY_OBJECT['then'] = true;
ASKED_OF_ANY_OBJECT['toJSON'] = true;
ASKED_OF_ANY_OBJECT['constructor'] = true;
ASKED_OF_ANY_OBJECT['__proto__'] = true;
ASKED_OF_ANY_OBJECT['prototype'] = true;
ASKED_OF_ANY_OBJECT['valueOf'] = true;
ASKED_OF_ANY_OBJECT['toString'] = true;

/** Calls the host function at a path of a namespace: JSON text without its brackets, and as people write it. */
export type CallMember = (path: string, member: string, args: unknown[]) => Promise<unknown>;

/** What a namespace is made of. */
interface NamespaceSource {
  readonly host: HostFunctions;
  /** The number of the namespace in the run. */
  readonly number: string;
  readonly call: CallMember;
}

/** Makes the object of a namespace (`path` is empty), or of a record inside one. */
export function makeNamespace(source: NamespaceSource, path = '', shown = ''): object {
  const { host, number } = source;
  const target = createObject(null) as object;
  const made = new RealMap<string, unknown>();
  let whole = false;

  const pathOf = (key: string): string => (path === '' ? nativeStringify(key) : `${path},${nativeStringify(key)}`);
  const shownOf = (key: string): string => (shown === '' ? key : `${shown}.${key}`);
  const allNames = (): string[] => nativeParse(host.names(number, `[${path}]`)) as string[];
  const isMember = (key: string): boolean => host.member(number, `[${pathOf(key)}]`) !== '';

  const member = (key: string): { value: unknown } | undefined => {
    const known = mapGet(made, key);
    if (known !== undefined) return { value: known };
    const at = pathOf(key);
    const kind = host.member(number, `[${at}]`);
    if (kind === '') return undefined;
    const value = makeMember(source, kind, key, at, shownOf(key));
    mapSet(made, key, value);
    return { value };
  };

  /** A frozen object must own what it shows, so whoever asks whether it is frozen gets all members made. */
  const makeWhole = (): void => {
    if (whole) return;
    const names = allNames();
    for (let index = 0; index < names.length; index++) {
      const key = names[index]!;
      define(target, key, member(key)!.value);
    }
    freeze(target);
    whole = true;
  };

  return new RealProxy(target, {
    __proto__: null,
    get(_target: object, key: PropertyKey) {
      if (typeof key !== 'string') return undefined;
      const found = member(key);
      if (found) return found.value;
      if (ASKED_OF_ANY_OBJECT[key]) return undefined;
      throw new RealTypeError(host.unknownMember(number, `[${pathOf(key)}]`));
    },
    has: (_target: object, key: PropertyKey) => typeof key === 'string' && isMember(key),
    ownKeys: () => (whole ? ownKeys(target) : allNames()),
    getOwnPropertyDescriptor(_target: object, key: PropertyKey) {
      const found = typeof key === 'string' ? member(key) : undefined;
      if (!found) return undefined;
      return { __proto__: null, value: found.value, writable: false, enumerable: true, configurable: !whole };
    },
    isExtensible() {
      makeWhole();
      return false;
    },
    preventExtensions() {
      makeWhole();
      return true;
    },
    getPrototypeOf: () => null,
    setPrototypeOf: () => false,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  } as ProxyHandler<object>);
}

function makeMember(source: NamespaceSource, kind: string, key: string, path: string, shown: string): unknown {
  switch (kind[0]) {
    case 'd':
      return freezeJson(parseWrittenJson(slice(kind, 1)));
    case 'o':
      return makeNamespace(source, path, shown);
    case 'a': {
      const items: unknown[] = [];
      const length = +slice(kind, 1);
      for (let index = 0; index < length; index++) {
        const itemPath = `${path},"${index}"`;
        const itemKind = source.host.member(source.number, `[${itemPath}]`);
        define(items, index, makeMember(source, itemKind, `${index}`, itemPath, `${shown}.${index}`));
      }
      return freeze(items);
    }
    default: {
      const { call } = source;
      // A method, so that it is no constructor, named as its member.
      return freeze({ [key]: (...args: unknown[]) => call(path, shown, args) }[key]);
    }
  }
}
