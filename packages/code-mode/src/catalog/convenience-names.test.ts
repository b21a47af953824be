import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convenienceNames, toMemberName } from './convenience-names.ts';

const tools = (...names: string[]) => names.map((name, at) => ({ id: `host:o${at}:${name}`, name }));
const named = (...names: string[]) => Object.fromEntries(convenienceNames(tools(...names)));

describe('convenienceNames', () => {
  test('a name that is an identifier stands as it is, another one becomes one', () => {
    expect(named('read_file', 'get-sum', 'drive.v1.list', '3d render', '名前', 'délai', 'delete')).toEqual({
      read_file: 'host:o0:read_file',
      getSum: 'host:o1:get-sum',
      driveV1List: 'host:o2:drive.v1.list',
      _3dRender: 'host:o3:3d render',
      名前: 'host:o4:名前',
      délai: 'host:o5:délai',
      delete: 'host:o6:delete',
    });
  });

  test('who collides has none, but a name that is borne unchanged comes before one that is made', () => {
    expect(named('get-it', 'get it')).toEqual({});
    expect(named('same', 'same')).toEqual({});
    expect(named('getIt', 'get-it')).toEqual({ getIt: 'host:o0:getIt' });
    expect(named('getIt', 'getIt', 'get-it')).toEqual({});
  });

  test('the members of tools are never covered', () => {
    expect(named('search', 'describe', 'call', 'callValue', 'call-value', 'find')).toEqual({ find: 'host:o5:find' });
  });

  test('a name of nothing but punctuation has none', () => {
    expect(toMemberName('--- !')).toBeUndefined();
    expect(named('!!!', '')).toEqual({});
  });

  test('is injective, and does not depend on the order of tools', () => {
    const names = fc.uniqueArray(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a-b', 'aB', 'a b', 'a_b', '__proto__', 'constructor')),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(names, (some) => {
        const all = some.map((name) => ({ id: `host:core:${name}`, name }));
        const made = convenienceNames(all);
        expect(new Set(made.values()).size).toBe(made.size);
        expect([...convenienceNames([...all].reverse())]).toEqual([...made]);
        for (const name of made.keys()) expect(() => new Function(`return ({}).${name}`)).not.toThrow();
      }),
    );
  });
});
