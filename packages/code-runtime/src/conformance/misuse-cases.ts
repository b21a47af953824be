// What is misuse, and thrown, rather than a program's failure.
import assert from 'node:assert/strict';
import type { CodeRunRequest } from '../types.ts';
import { type ConformanceCase, failureOf, gate, reached, thrown, tools, value, withTools } from './case.ts';

const fine = (): CodeRunRequest => ({ program: 'return 1;', bindings: [] });
const named = (global: unknown): CodeRunRequest => ({ ...fine(), bindings: [{ global, functions: {} } as never] });
const withClass = (errorClass: unknown): CodeRunRequest => ({
  ...fine(),
  bindings: [{ global: 'tools', functions: {}, errorClass } as never],
});
const withFunctions = (functions: unknown): CodeRunRequest => ({
  ...fine(),
  bindings: [{ global: 'tools', functions } as never],
});

const cyclic: Record<string, unknown> = { run: () => 1 };
cyclic['self'] = cyclic;

/** Requests that are misuse, and what the message must name. */
const MISUSES: [name: string, request: unknown, says: string][] = [
  ['no request', undefined, 'request'],
  ['a program that is no string', { ...fine(), program: 7 }, 'program'],
  ['no bindings', { program: 'return 1;' }, 'bindings'],
  ['a language that it does not run', { ...fine(), language: 'cobol' }, 'cobol'],
  ...[
    '',
    '1st',
    '$tools',
    'a-b',
    'a.b',
    'é',
    'tools\n',
    'class',
    'await',
    'lambda',
    'None',
    'def',
    'enum',
    'eval',
    'undefined',
    'console',
    'Object',
    'globalThis',
    'setTimeout',
    'JSON',
    '__codeseam',
  ].map((name): [string, unknown, string] => [
    `the global name ${JSON.stringify(name)}`,
    named(name),
    JSON.stringify(name),
  ]),
  ['a global name that is no string', named(Symbol('s')), 'string'],
  ['two namespaces of one name', { ...fine(), bindings: [tools({}), tools({})] }, 'tools'],
  ['a namespace that is null', { ...fine(), bindings: [null] }, 'bindings[0]'],
  ['functions that are no record', withFunctions(null), 'functions'],
  ['functions in an array', withFunctions([]), 'functions'],
  ['a class instance for functions', withFunctions(new Map()), 'plain object'],
  ['a Date among the functions', withFunctions({ deep: { when: new Date(0) } }), 'when'],
  [
    'a getter among the functions',
    withFunctions({
      get lazy() {
        return 1;
      },
    }),
    'lazy',
  ],
  ['a cycle of functions', withFunctions({ a: cyclic }), 'self'],
  ['a BigInt among the functions', withFunctions({ n: 1n }), 'n'],
  ['an error class with a reserved name', withClass({ name: 'Error', memberNameProperty: 'tool' }), 'Error'],
  ['an error class without a property', withClass({ name: 'ToolError' }), 'memberNameProperty'],
  [
    'an error class whose property errors have',
    withClass({ name: 'ToolError', memberNameProperty: 'message' }),
    'message',
  ],
  [
    'an error class whose property Python owns',
    withClass({ name: 'ToolError', memberNameProperty: '__dict__' }),
    '__dict__',
  ],
  ['an error class with the name of its namespace', withClass({ name: 'tools', memberNameProperty: 'tool' }), 'tools'],
  ['a global with the name of a namespace', { ...fine(), bindings: [tools({})], globals: { tools: 1 } }, 'tools'],
  ['a global with a reserved name', { ...fine(), globals: { delete: 1 } }, 'delete'],
  ['a global that is no JSON', { ...fine(), globals: { when: new Date(0) } }, 'when'],
  ['a prelude without an id', { ...fine(), prelude: { source: '' } }, 'prelude'],
  ['a limit that is no number', { ...fine(), limits: { maxOutputBytes: '8' } }, 'maxOutputBytes'],
  ['a limit that is NaN', { ...fine(), limits: { maxOutputBytes: Number.NaN } }, 'maxOutputBytes'],
  ['a limit that is negative', { ...fine(), limits: { wallMs: -1 } }, 'wallMs'],
  ['a limit that is no integer', { ...fine(), limits: { wallMs: 1.5 } }, 'wallMs'],
  ['a limit that is infinite', { ...fine(), limits: { wallMs: Infinity } }, 'wallMs'],
  ['an unknown limit', { ...fine(), limits: { computMs: 5 } }, 'computeMs'],
  ['a signal that is none', { ...fine(), signal: {} }, 'signal'],
  ['an onOutput that is no function', { ...fine(), onOutput: 1 }, 'onOutput'],
];

export const misuseCases: ConformanceCase[] = [
  {
    name: 'throws for misuse, saying what is wrong, and runs nothing',
    async run({ runtime }) {
      for (const [name, request, says] of MISUSES) {
        const error = await thrown(() => runtime.start(request as CodeRunRequest)).catch((cause: Error) =>
          assert.fail(`${name}: ${cause.message}`),
        );
        assert.equal(error.name, 'CodeRuntimeError', `${name}: ${error.message}`);
        assert.equal(typeof error.code, 'string');
        assert.ok(error.message.includes(says), `${name}: ${error.message}`);
        assert.equal((await thrown(() => runtime.run(request as CodeRunRequest))).name, 'CodeRuntimeError', name);
      }
      assert.equal(await value(runtime, 'return 1;'), 1);
    },
  },
  {
    name: 'takes every limit up to its maximum and refuses more, naming limit, value and range',
    async run({ runtime }) {
      for (const [name, max] of Object.entries(runtime.maxLimits)) {
        const error = await thrown(() => runtime.start({ ...fine(), limits: { [name]: max + 1 } }));
        assert.equal(error.code, 'invalid-limit');
        for (const part of [name, String(max + 1), String(max)]) assert.ok(error.message.includes(part), error.message);
      }
      assert.equal(await value(runtime, { program: 'return 1;', limits: { ...runtime.maxLimits } }), 1);
    },
  },
  {
    name: 'lets namespaces share an error class',
    async run({ runtime }) {
      const errorClass = { name: 'SharedError', memberNameProperty: 'member' };
      const no = () => Promise.reject(new Error('no'));
      const bindings = [
        { global: 'a', functions: { no }, errorClass },
        { global: 'b', functions: { no }, errorClass: { ...errorClass } },
      ];
      const program =
        'const seen = []; for (const ns of [a, b]) { try { await ns.no(); } catch (e) { seen.push(e instanceof SharedError, e.constructor === SharedError); } } return seen;';
      assert.deepEqual(await value(runtime, { program, bindings }), [true, true, true, true]);
    },
  },
  {
    name: 'takes frozen requests and does not change what it was given',
    async run({ runtime }) {
      const functions = Object.freeze({ one: () => 1, data: Object.freeze({ list: Object.freeze([1]) }) });
      const request = Object.freeze({
        program: 'return [await tools.one(), tools.data, shared];',
        bindings: Object.freeze([Object.freeze({ global: 'tools', functions })]),
        globals: Object.freeze({ shared: Object.freeze({ a: 1 }) }),
        limits: Object.freeze({}),
      });
      for (let i = 0; i < 2; i++) assert.deepEqual(await value(runtime, request), [1, { list: [1] }, { a: 1 }]);
    },
  },
  {
    name: 'describes itself',
    async run({ runtime }) {
      assert.ok(runtime.languages.includes(runtime.language) || runtime.languages.includes('javascript'));
      assert.ok(runtime.isolation.length > 0);
      assert.equal(typeof runtime.resumable, 'boolean');
      assert.equal(runtime.resumable, typeof runtime.thaw === 'function');
      for (const max of Object.values(runtime.maxLimits)) assert.ok(Number.isSafeInteger(max) && max > 0);
    },
  },
  {
    name: 'ends live runs as abort when it is disposed, and then refuses',
    async run({ open }) {
      const runtime = await open();
      let signal: AbortSignal | undefined;
      const functions = {
        hang(this: { signal: AbortSignal }) {
          signal = this.signal;
          return new Promise(() => {});
        },
      };
      const waiting = runtime.start(withTools('await tools.hang();', functions, { limits: { abortGraceMs: 10 } }));
      const busy = runtime.start({ program: 'for (;;) {}', bindings: [] });
      await reached(waiting, 'waiting');
      const held = runtime.start(
        withTools('await tools.hang();', { hang: () => gate().promise }, { limits: { abortGraceMs: 10 } }),
      );
      const holding = held.hold();
      await Promise.all([runtime.dispose(), runtime.dispose()]);
      for (const run of [waiting, busy, held]) {
        failureOf(await run.result, 'abort');
        assert.equal(run.state, 'ended');
      }
      assert.ok(['waiting', 'draining', 'ended'].includes(await holding));
      assert.equal(signal?.aborted, true);
      assert.equal((await thrown(() => runtime.start(fine()))).code, 'disposed');
      assert.equal((await thrown(() => runtime.run(fine()))).code, 'disposed');
      await runtime.dispose();
    },
  },
];
