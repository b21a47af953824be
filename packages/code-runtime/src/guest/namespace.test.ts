import { nearestNames } from '@codeseam/nearest-names';
import { describe, expect, test } from 'vitest';
import { makeNamespace, type NamespaceSource } from '../guest.ts';

type Tree = 'f' | `>${string}` | { d: unknown } | { o: Record<string, Tree> } | { a: Tree[] };

/** A namespace over a tree, with a record of everything that was asked and called. */
function makeSource(tree: Record<string, Tree>): NamespaceSource & { asked: string[]; calls: unknown[] } {
  const asked: string[] = [];
  const calls: unknown[] = [];
  const find = (path: string[]): Tree | undefined => {
    let at: Tree | undefined = { o: tree };
    for (const step of path) {
      if (typeof at !== 'object') return undefined;
      if ('o' in at) at = Object.hasOwn(at.o, step) ? at.o[step] : undefined;
      else at = 'a' in at ? at.a[Number(step)] : undefined;
    }
    return at;
  };
  const namesAt = (path: string[]): string[] => {
    const at = find(path);
    if (typeof at !== 'object' || !('o' in at)) return [];
    const { o } = at;
    return Object.keys(o).filter((name) => !String(o[name]).startsWith('>'));
  };
  return {
    asked,
    calls,
    member(path) {
      asked.push(path);
      const at = find(JSON.parse(path));
      if (at === undefined || typeof at === 'string') return at ?? '';
      if ('d' in at) return `d${JSON.stringify(at.d)}`;
      return 'o' in at ? 'o' : `a${at.a.length}`;
    },
    names: (path) => JSON.stringify(namesAt(JSON.parse(path))),
    unknownMember(path) {
      const steps = JSON.parse(path) as string[];
      const near = nearestNames(steps.at(-1)!, namesAt(steps.slice(0, -1)));
      return `no member ${steps.at(-1)}; near: ${near.join()}`;
    },
    makeFunction:
      (path, shown) =>
      async (...args) => {
        calls.push([path, shown, args]);
        return 'called';
      },
  };
}

function tree(): Record<string, Tree> {
  const odd = JSON.parse('{"docs":{"o":{"search":"f","then":"f"}},"__proto__":"f"}') as Record<string, Tree>;
  return {
    getSum: 'f',
    'odd name': 'f',
    version: { d: { major: 1, list: [1, 2] } },
    many: { a: ['f', { d: 7 }, { o: { inner: 'f' } }] },
    ...odd,
  };
}

type Namespace = Record<string, any>;
const make = (source: NamespaceSource) => makeNamespace(source) as Namespace;

describe('a namespace', () => {
  test('calls its functions by their paths', async () => {
    const source = makeSource(tree());
    const ns = make(source);
    expect(await ns['getSum'](1, { a: 2 })).toBe('called');
    await ns['docs'].search('x');
    await ns['many'][2].inner();
    await ns['odd name']();
    expect(source.calls).toEqual([
      ['["getSum"]', 'getSum', [1, { a: 2 }]],
      ['["docs","search"]', 'docs.search', ['x']],
      ['["many","2","inner"]', 'many.2.inner', []],
      ['["odd name"]', 'odd name', []],
    ]);
  });

  test('gives the same member each time, named, no constructor, and frozen', () => {
    const ns = make(makeSource(tree()));
    expect(ns['getSum']).toBe(ns['getSum']);
    expect(ns['docs']).toBe(ns['docs']);
    expect(ns['getSum'].name).toBe('getSum');
    expect(Object.isFrozen(ns['getSum'])).toBe(true);
    expect(() => new ns['getSum']()).toThrow(TypeError);
    expect('prototype' in ns['getSum']).toBe(false);
  });

  test('gives data frozen through and through', () => {
    const ns = make(makeSource(tree()));
    expect(ns['version']).toEqual({ major: 1, list: [1, 2] });
    expect(Object.isFrozen(ns['version'].list)).toBe(true);
    expect(Object.isFrozen(ns['many'])).toBe(true);
    expect(ns['many'][1]).toBe(7);
  });

  test('throws for a name that is none, with the nearest ones', () => {
    const ns = make(makeSource(tree()));
    expect(() => ns['get_summ']).toThrow(new TypeError('no member get_summ; near: getSum'));
    expect(() => ns['docs'].serch).toThrow(new TypeError('no member serch; near: search'));
    expect(() => ns['']).toThrow(TypeError);
    expect(() => ns['hasOwnProperty']).toThrow(TypeError);
  });

  test('has no names that are asked of any object, and no symbols, unless they are members', async () => {
    const ns = make(makeSource({ getSum: 'f' }));
    for (const name of ['then', 'toJSON', 'constructor', '__proto__', 'prototype', 'valueOf', 'toString']) {
      expect(ns[name]).toBeUndefined();
    }
    expect(ns[Symbol.toPrimitive as never]).toBeUndefined();
    expect(await ns).toBe(ns);
    const odd = make(makeSource(tree()));
    expect(typeof Reflect.get(odd, '__proto__')).toBe('function');
    expect(typeof odd['docs'].then).toBe('function');
  });

  test('understands another spelling of a member, and does not show it', async () => {
    const source = makeSource({ getSum: 'f', docs: { o: { search: 'f' } }, 'get-sum': '>getSum', 'my-docs': '>docs' });
    const ns = make(source);
    expect(ns['get-sum']).toBe(ns['getSum']);
    expect(ns['my-docs']).toBe(ns['docs']);
    await ns['my-docs'].search();
    expect(source.calls).toEqual([['["docs","search"]', 'docs.search', []]]);
    for (let round = 0; round < 2; round++) {
      expect(['get-sum' in ns, Object.hasOwn(ns, 'get-sum'), Object.keys(ns)]).toEqual([
        true,
        false,
        ['getSum', 'docs'],
      ]);
      expect(Object.isFrozen(ns)).toBe(true);
      expect(ns['get-sum']).toBe(ns['getSum']);
    }
  });

  test('never throws for what only looks', () => {
    const source = makeSource(tree());
    const ns = make(source);
    expect(['getSum' in ns, 'get_sum' in ns, 'then' in ns, Symbol.iterator in ns]).toEqual([true, false, false, false]);
    expect(Object.keys(ns)).toEqual(['getSum', 'odd name', 'version', 'many', 'docs', '__proto__']);
    expect(typeof ns['then']).toBe('undefined');
    expect(JSON.stringify(make(makeSource({ a: 'f', b: { d: 1 } })))).toBe('{"b":1}');
    expect(Object.hasOwn(ns, 'getSum')).toBe(true);
    expect(Object.hasOwn(ns, 'nothing')).toBe(false);
    expect(Object.getPrototypeOf(ns)).toBeNull();
    expect(source.calls).toEqual([]);
  });

  test('cannot be changed', () => {
    const ns = make(makeSource(tree()));
    expect(Object.isFrozen(ns)).toBe(true);
    expect(() => {
      ns['getSum'] = 1;
    }).toThrow(TypeError);
    expect(() => {
      ns['fresh'] = 1;
    }).toThrow(TypeError);
    expect(() => {
      delete ns['getSum'];
    }).toThrow(TypeError);
    expect(() => Object.defineProperty(ns, 'fresh', { value: 1 })).toThrow(TypeError);
    expect(() => Object.setPrototypeOf(ns, {})).toThrow(TypeError);
    expect(Object.isFrozen(make(makeSource(tree()))['docs'])).toBe(true);
    expect(Object.keys(ns)).toEqual(['getSum', 'odd name', 'version', 'many', 'docs', '__proto__']);
    expect(typeof ns['getSum']).toBe('function');
  });

  test('costs nothing before it is asked for', () => {
    const source = makeSource(tree());
    const ns = make(source);
    expect(source.asked).toEqual([]);
    void ns['getSum'];
    void ns['getSum'];
    expect(source.asked).toEqual(['["getSum"]']);
  });

  test('can be copied and taken apart', () => {
    const ns = make(makeSource(tree()));
    const { getSum, docs } = ns;
    expect(getSum).toBe(ns['getSum']);
    expect(docs).toBe(ns['docs']);
    expect(Object.keys({ ...ns })).toEqual(Object.keys(ns));
    expect(Object.entries(ns).length).toBe(6);
  });
});
