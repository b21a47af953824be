// Namespace objects: frozen, answering only real names, each member made at first access.
import { freezeJson, parseWrittenJson } from '@codeseam/lossless-json';
import {
  createObject,
  define,
  defineProperty,
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
for (const name of ['then', 'toJSON', 'constructor', '__proto__', 'prototype', 'valueOf', 'toString']) {
  define(ASKED_OF_ANY_OBJECT, name, true);
}

/** What a namespace is made of. A path is the JSON text of an array of member names. */
export interface NamespaceSource {
  /**
   * `f` a function, `d` and JSON data, `o` a record, `a` and a length an array, or nothing; `>` and a name where the last step is
   * another spelling of that member.
   */
  member(path: string): string;
  /** The names of the record at a path, as a JSON array. */
  names(path: string): string;
  /** Says that a path leads to no member, with the nearest real names. */
  unknownMember(path: string): string;
  /** Makes the function at a path, which is no constructor; `shown` is the same path as people write it. */
  makeFunction(path: string, shown: string): (...args: unknown[]) => Promise<unknown>;
}

/** Makes the object of a namespace. Nothing of it costs anything before it is asked for. */
export function makeNamespace(source: NamespaceSource): object {
  return makeRecord(source, '', '');
}

/** `path` is JSON text without its brackets. */
function makeRecord(source: NamespaceSource, path: string, shown: string): object {
  const target = createObject(null) as object;
  const made = new RealMap<string, { value: unknown }>();
  const spellings = new RealMap<string, string>();
  let whole = false;

  const pathOf = (key: string): string => (path === '' ? nativeStringify(key) : `${path},${nativeStringify(key)}`);
  const allNames = (): string[] => nativeParse(source.names(`[${path}]`)) as string[];

  const member = (key: string): { value: unknown } | undefined => {
    const known = mapGet(made, key);
    if (known !== undefined) return known;
    const meant = mapGet(spellings, key);
    if (meant !== undefined) return member(meant);
    const at = pathOf(key);
    const kind = source.member(`[${at}]`);
    if (kind === '') return undefined;
    if (kind[0] === '>') {
      mapSet(spellings, key, slice(kind, 1));
      return member(slice(kind, 1));
    }
    const found = { value: makeMember(source, kind, key, at, shown === '' ? key : `${shown}.${key}`) };
    mapSet(made, key, found);
    return found;
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
      throw new RealTypeError(source.unknownMember(`[${pathOf(key)}]`));
    },
    has: (_target: object, key: PropertyKey) => typeof key === 'string' && source.member(`[${pathOf(key)}]`) !== '',
    ownKeys: () => (whole ? ownKeys(target) : allNames()),
    getOwnPropertyDescriptor(_target: object, key: PropertyKey) {
      const found = typeof key === 'string' ? member(key) : undefined;
      // A spelling is understood, and no member of its own.
      if (!found || mapGet(spellings, key as string) !== undefined) return undefined;
      const fixed = { __proto__: null, value: found.value, writable: false, enumerable: true, configurable: false };
      // What is shown as fixed must be so; engines ask for members before they ask whether the object is extensible.
      if (!whole) defineProperty(target, key, fixed as PropertyDescriptor);
      return fixed;
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
      return makeRecord(source, path, shown);
    case 'a': {
      const items: unknown[] = [];
      const length = +slice(kind, 1);
      for (let index = 0; index < length; index++) {
        const itemPath = `${path},"${index}"`;
        const itemKind = source.member(`[${itemPath}]`);
        define(items, index, makeMember(source, itemKind, `${index}`, itemPath, `${shown}.${index}`));
      }
      return freeze(items);
    }
    default: {
      const made = source.makeFunction(`[${path}]`, shown);
      define(made, 'name', key, false);
      return freeze(made);
    }
  }
}
