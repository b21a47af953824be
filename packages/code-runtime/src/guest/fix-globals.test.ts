import { expect, test } from 'vitest';
import { fixGlobals } from './fix-globals.ts';

// Names that nobody else has: what is fixed on a global object stays.
const NAMES = { tools: 'fixedTools', other: 'fixedOther', error: 'FixedError', data: 'fixedData', gone: 'fixedGone' };
const asked: string[] = [];
const globals = globalThis as unknown as Record<string, any>;

fixGlobals(
  {
    errors: [{ name: NAMES.error, property: 'tool' }],
    namespaces: [
      { global: NAMES.tools, error: 0 },
      { global: NAMES.other, error: -1 },
    ],
    globals: [NAMES.data, NAMES.gone],
  },
  {
    member: (namespace, path) => {
      asked.push(`member ${namespace} ${path}`);
      return path === '["call"]' ? 'f' : '';
    },
    names: () => '["call"]',
    unknownMember: (namespace, path) => `${namespace} has no ${path}`,
    makeFunction: (namespace, path, shown, errorClass) => async () => [namespace, path, shown, errorClass?.property],
    global: (name) => {
      asked.push(name);
      return name === NAMES.data ? '{"list":[1]}' : '';
    },
  },
);

test('nothing is asked for before a program asks', () => {
  expect(asked).toEqual([]);
});

test('each namespace knows its place and its class of errors', async () => {
  expect(await globals[NAMES.tools].call()).toEqual([0, '["call"]', 'call', 'tool']);
  expect(await globals[NAMES.other].call()).toEqual([1, '["call"]', 'call', undefined]);
  expect(() => globals[NAMES.other].cal).toThrow('1 has no ["cal"]');
  expect(new globals[NAMES.error]('no', 'a.b')).toMatchObject({ name: NAMES.error, message: 'no', tool: 'a.b' });
});

test('data is read once, and frozen', () => {
  asked.length = 0;
  expect(globals[NAMES.data]).toEqual({ list: [1] });
  expect(globals[NAMES.data]).toBe(globals[NAMES.data]);
  expect(Object.isFrozen(globals[NAMES.data].list)).toBe(true);
  expect(asked).toEqual([NAMES.data]);
});

test('data that a run goes on without says so', () => {
  expect(() => globals[NAMES.gone]).toThrow('fixedGone was not given when the run was brought back');
});

test('nobody replaces a global', () => {
  for (const name of [NAMES.tools, NAMES.other, NAMES.error, NAMES.data]) {
    const before = globals[name];
    expect(() => {
      globals[name] = 1;
    }).toThrow(TypeError);
    expect(Reflect.deleteProperty(globalThis, name)).toBe(false);
    expect(globals[name]).toBe(before);
  }
});
