import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import bundle from '../guest.ts?bundle=guest';
import { bindingTable } from '../index.ts';
import { MemberNames } from './member-names.ts';

const functions: Record<string, any> = {
  read_file: () => 0,
  deep: { list: [1, 'two', { call: () => 0 }], write: () => 0, data: { a: [1] }, ['__proto__']: () => 0 },
  constructor: () => 0,
};
Object.defineProperty(functions, 'readFile', { enumerable: false, value: functions['read_file'] });
const table = bindingTable({ global: 'tools', functions });

/** Questions, and what is answered. */
const ANSWERS: [path: string[], member: string, names: string[]][] = [
  [[], 'o', ['read_file', 'deep', 'constructor']],
  [['read_file'], 'f', []],
  [['readFile'], '>read_file', []],
  [['constructor'], 'f', []],
  [['deep'], 'o', ['list', 'write', 'data', '__proto__']],
  [['deep', '__proto__'], 'f', []],
  [['deep', 'data'], 'd{"a":[1]}', []],
  [['deep', 'data', 'a'], '', []],
  [['deep', 'list'], 'a3', []],
  [['deep', 'list', '1'], 'd"two"', []],
  [['deep', 'list', '2', 'call'], 'f', []],
  [['deep', 'list', '3'], '', []],
  [['deep', 'list', '-1'], '', []],
  [['deep', 'list', 'length'], '', []],
  [['deep', 'list', 'at'], '', []],
  [['toString'], '', []],
  [['d'], '', []],
  [['read_file', 'call'], '', []],
];

describe('the names of a namespace', () => {
  const members = new MemberNames(table.text);

  test.each(ANSWERS)('are told at %j', (path, member, names) => {
    expect(members.member(JSON.stringify(path))).toBe(member);
    expect(JSON.parse(members.names(JSON.stringify(path)))).toEqual(names);
  });

  test('that are near are named where one is none', () => {
    expect(members.unknownMember('tools', '["read_fle"]')).toBe(
      'tools has no member "read_fle"; did you mean "read_file"?',
    );
    expect(members.unknownMember('tools', '["deep","list","9"]')).toBe('tools.deep.list has no member "9"');
    expect(members.unknownMember('tools', JSON.stringify(['x'.repeat(500)]))).toBe(
      `tools has no member "${'x'.repeat(200)}"`,
    );
  });

  test('are the same whatever a program put on prototypes and in place of built-ins', () => {
    const answers = runInNewContext(
      `const lib = ${bundle};
      const members = new lib.MemberNames(text);
      const paths = asked.map(([path]) => JSON.stringify(path));
      const set = Reflect.defineProperty;
      for (const holder of [Object.prototype, Array.prototype]) {
        for (const key of ['o', 'd', 's', 'a', '0', '3', '-1', 'at', 'toJSON'])
          set(holder, key, { __proto__: null, configurable: true, get: () => 'stolen', set: () => {} });
      }
      const patched = [JSON, 'parse', Map.prototype, 'get', Map.prototype, 'set', Map.prototype, 'has', Array.prototype, 'map',
        String.prototype, 'slice', Object, 'hasOwn', Object.prototype, 'hasOwnProperty', Array.prototype, Symbol.iterator];
      for (let index = 0; index < patched.length; index += 2)
        set(patched[index], patched[index + 1], { __proto__: null, value: () => 'stolen' });
      let out = '';
      for (let index = 0; index < paths.length; index++) {
        const path = paths[index];
        out += path + '\\t' + members.member(path) + '\\t' + members.names(path) + '\\n';
      }
      out + members.unknownMember('tools', '["read_fle"]');`,
      { text: table.text, asked: ANSWERS },
    ) as string;
    const lines = answers.split('\n');
    expect(lines.slice(0, -1).map((line) => line.split('\t'))).toEqual(
      ANSWERS.map(([path, member, names]) => [JSON.stringify(path), member, JSON.stringify(names)]),
    );
    expect(lines.at(-1)).toMatch(/^tools has no member "read_fle"/);
  });
});
