// What a program sees of its bindings and globals, and what crosses in a call.
import assert from 'node:assert/strict';
import { CodeCallError } from '../errors.ts';
import type { CodeCallContext, CodeJsonValue } from '../types.ts';
import { type ConformanceCase, delay, failure, finished, gate, reached, tools, value, withTools } from './case.ts';

const ODD_MEMBERS = [
  '__proto__',
  'constructor',
  'then',
  'toJSON',
  'prototype',
  'valueOf',
  'toString',
  'hasOwnProperty',
  '',
  'a b',
  '0',
  '-1',
  'é😀',
  'new',
];

export const bindingCases: ConformanceCase[] = [
  {
    name: 'serves the plain request of DeepSeek Harness',
    async run({ runtime }) {
      const functions = Object.assign(Object.create(null), {
        echo: async (args: CodeJsonValue) => ({ args }),
        fail: async () => {
          throw new Error('tool says no');
        },
      });
      const program = `
        const { args } = await tools.echo({ path: 'a.txt' });
        console.log('got', args.path);
        try { await tools.fail({}); } catch (error) {
          return [error instanceof ToolCallError, error instanceof Error, error.name, error.toolName, error.message, args];
        }`;
      const bindings = [
        { global: 'tools', functions, errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' } },
      ];
      const result = await runtime.run({ program, bindings, signal: new AbortController().signal });
      assert.equal(result.error, undefined);
      assert.deepEqual(result.logs, ['got a.txt']);
      assert.deepEqual(result.value, [true, true, 'ToolCallError', 'fail', 'tool says no', { path: 'a.txt' }]);
      const failed = await runtime.run({ program: 'throw new Error("no");', bindings });
      assert.deepEqual([failed.error?.kind, failed.error?.message], ['exception', 'no']);
      assert.ok(['typescript', 'python'].includes(runtime.language), 'the language is one that the harness presents');
    },
  },
  {
    name: 'passes arguments and results as JSON',
    async run({ runtime }) {
      const seen: unknown[][] = [];
      const functions = {
        note: (...args: unknown[]) => {
          seen.push(args);
          return { given: args.length };
        },
      };
      const program =
        'return [await tools.note(), await tools.note({ a: [1, -0, undefined && 1, { b: undefined }].slice(0, 2) }), await tools.note(1, "two", null)];';
      assert.deepEqual(await value(runtime, withTools(program, functions)), [{ given: 0 }, { given: 1 }, { given: 3 }]);
      assert.deepEqual(seen, [[], [{ a: [1, 0] }], [1, 'two', null]]);
    },
  },
  {
    name: 'gives a function its context',
    async run({ runtime }) {
      const seen: CodeCallContext[] = [];
      function note(this: CodeCallContext) {
        seen.push(this);
        assert.equal(this.signal.aborted, false);
        return this.id;
      }
      const ids = await value(runtime, {
        ...withTools('return [await tools.note(), await tools.deep.note()];', { note, deep: { note } }),
        context: { run: 7 },
      });
      assert.deepEqual(
        seen.map((it) => it.path),
        [
          ['tools', 'note'],
          ['tools', 'deep', 'note'],
        ],
      );
      assert.deepEqual(
        seen.map((it) => it.id),
        ids,
      );
      assert.notEqual(seen[0]?.id, seen[1]?.id);
      assert.deepEqual(
        seen.map((it) => it.context),
        [{ run: 7 }, { run: 7 }],
      );
    },
  },
  {
    name: 'takes an argument as it is at the time of the call',
    async run({ runtime }) {
      const program = 'const o = { v: 1 }; const p = tools.echo(o); o.v = 2; o.late = 1; return await p;';
      assert.deepEqual(await value(runtime, withTools(program, { echo: (args: CodeJsonValue) => args })), { v: 1 });
    },
  },
  {
    name: 'hands out copies: neither side sees what the other does later',
    async run({ runtime }) {
      const kept = { list: [1] };
      const functions = { get: () => kept, change: (args: { list: number[] }) => void args.list.push(9) };
      const program =
        'const a = await tools.get(); a.list.push(2); const b = { list: [5] }; await tools.change(b); return [a, await tools.get(), b];';
      assert.deepEqual(await value(runtime, withTools(program, functions)), [
        { list: [1, 2] },
        { list: [1] },
        { list: [5] },
      ]);
      assert.deepEqual(kept, { list: [1] });
    },
  },
  {
    name: 'serves nested records, arrays and data beside functions',
    async run({ runtime }) {
      const functions = {
        version: 3,
        issues: {
          create: (title: string) => `made ${title}`,
          labels: ['bug', 'task'],
          deep: { er: { run: () => 'deep' } },
        },
        list: [() => 'first', 2, { inner: () => 'inner' }],
      };
      const program = `
        return [tools.version, await tools.issues.create('x'), tools.issues.labels, tools.issues.labels.length,
          await tools.issues.deep.er.run(), await tools.list[0](), tools.list[1], await tools.list[2].inner(), tools.list.length,
          Array.isArray(tools.issues.labels), Array.isArray(tools.list)];`;
      assert.deepEqual(await value(runtime, withTools(program, functions)), [
        3,
        'made x',
        ['bug', 'task'],
        2,
        'deep',
        'first',
        2,
        'inner',
        3,
        true,
        true,
      ]);
    },
  },
  {
    name: 'takes any string for a member name',
    async run({ runtime }) {
      const functions: Record<string, () => string> = Object.create(null);
      for (const name of ODD_MEMBERS) functions[name] = () => `ran ${name}`;
      const program = `
        const out = [];
        for (const name of ${JSON.stringify(ODD_MEMBERS)}) out.push(await tools[name]());
        return [out, Object.keys(tools).sort(), ${JSON.stringify(ODD_MEMBERS)}.every((name) => name in tools)];`;
      const [ran, keys, inside] = (await value(runtime, withTools(program, functions))) as [
        string[],
        string[],
        boolean,
      ];
      assert.deepEqual(
        ran,
        ODD_MEMBERS.map((name) => `ran ${name}`),
      );
      assert.deepEqual(keys, [...ODD_MEMBERS].sort());
      assert.equal(inside, true);
    },
  },
  {
    name: 'answers only real names, and names the nearest ones',
    async run({ runtime }) {
      const functions = { get_sites: () => 1, get_site: () => 1, delete_page: () => 1 };
      const program =
        'try { await tools.get_sits({}); } catch (error) { return [error instanceof TypeError, error.message]; }';
      const [typed, message] = (await value(runtime, withTools(program, functions))) as [boolean, string];
      assert.equal(typed, true);
      assert.ok(message.includes('get_sits') && message.includes('get_sites') && message.includes('get_site'), message);
      assert.ok(!message.includes('delete_page'), message);
    },
  },
  {
    name: 'answers the names that engines ask for with undefined, without a call',
    async run({ runtime }) {
      let calls = 0;
      const functions = { one: () => ++calls };
      const program = `
        const asked = ['then', 'toJSON', 'constructor', '__proto__', 'prototype', 'valueOf', 'toString'].map((name) => typeof tools[name]);
        const symbols = [typeof tools[Symbol.iterator], typeof tools[Symbol.toPrimitive], typeof tools[Symbol.toStringTag] === 'string' ? 'undefined' : typeof tools[Symbol.toStringTag]];
        const same = (await tools) === tools;
        JSON.stringify(tools);
        return [asked, symbols, same, 'one' in tools, 'two' in tools, 'then' in tools, Object.keys(tools), typeof tools.then, { ...Object.keys(tools) }];`;
      const [asked, symbols, same, ...rest] = (await value(runtime, withTools(program, functions))) as [
        string[],
        string[],
        boolean,
        ...unknown[],
      ];
      assert.deepEqual(asked, Array(7).fill('undefined'));
      assert.deepEqual(symbols, Array(3).fill('undefined'));
      assert.equal(same, true);
      assert.deepEqual(rest, [true, false, false, ['one'], 'undefined', { 0: 'one' }]);
      assert.equal(calls, 0);
    },
  },
  {
    name: 'freezes namespaces and data',
    async run({ runtime }) {
      const functions = { add: (a: number, b: number) => a + b, data: { list: [1] }, deep: { run: () => 'real' } };
      const program = `
        const tries = [
          () => { 'use strict'; tools.add = () => 'forged'; }, () => { 'use strict'; delete tools.add; },
          () => { 'use strict'; tools.fresh = 1; }, () => Object.defineProperty(tools, 'add', { value: 1 }),
          () => Object.setPrototypeOf(tools, { add: 1 }), () => { 'use strict'; tools.deep.run = null; },
          () => { tools.data.list.push(2); }, () => { 'use strict'; tools.data.list[0] = 9; }, () => { 'use strict'; tools.data.more = 1; },
          () => { 'use strict'; settings.mode = 'b'; }, () => { settings.tags.push('x'); },
        ];
        const refused = tries.filter((attempt) => { try { attempt(); return false; } catch { return true; } }).length;
        return [refused === tries.length, await tools.add(1, 2), await tools.deep.run(), tools.data, settings, 'fresh' in tools,
          Object.isFrozen(tools), Object.isFrozen(tools.deep)];`;
      const given = await value(runtime, {
        ...withTools(program, functions),
        globals: { settings: { mode: 'a', tags: ['t'] } },
      });
      assert.deepEqual(given, [true, 3, 'real', { list: [1] }, { mode: 'a', tags: ['t'] }, false, true, true]);
    },
  },
  {
    name: 'defines globals of plain data, each under its own name',
    async run({ runtime }) {
      const globals = { config: { a: [1, null] }, title: 'text', nothing: null, zero: 0 };
      assert.deepEqual(
        await value(runtime, { program: 'return [config, title, nothing, zero, typeof absent];', globals }),
        [{ a: [1, null] }, 'text', null, 0, 'undefined'],
      );
    },
  },
  {
    name: 'understands other spellings of members, and shows the members alone',
    async run({ runtime }) {
      const getSum = (a: number, b: number) => a + b;
      const files = Object.defineProperty({ getSum }, 'get-sum', { value: getSum });
      const functions = Object.defineProperty({ files }, 'my-files', { value: files });
      const program = `
        const same = tools['my-files'] === tools.files && tools.files['get-sum'] === tools.files.getSum;
        const sum = await tools['my-files']['get-sum'](1, 2);
        const shown = [Object.keys(tools), Object.keys(tools.files), 'get-sum' in tools.files, Object.isFrozen(tools.files)];
        try { void tools['my_files'].x; } catch (e) { return [same, sum, shown, e.name]; }`;
      assert.deepEqual(await value(runtime, withTools(program, functions as never)), [
        true,
        3,
        [['files'], ['getSum'], true, true],
        'TypeError',
      ]);
    },
  },
  {
    name: 'serves several namespaces, with and without an error class',
    async run({ runtime }) {
      const no = () => Promise.reject(new Error('no'));
      const bindings = [
        tools({ no }),
        { global: 'plain', functions: { no } },
        { global: 'other', functions: { no }, errorClass: { name: 'OtherError', memberNameProperty: 'member' } },
      ];
      const program = `
        const seen = [];
        for (const ns of [tools, plain, other]) { try { await ns.no(); } catch (e) { seen.push([e.name, e.constructor === Error, e instanceof Error, e.toolName ?? null, e.member ?? null]); } }
        return seen;`;
      assert.deepEqual(await value(runtime, { program, bindings }), [
        ['ToolCallError', false, true, 'no', null],
        ['Error', true, true, null, null],
        ['OtherError', false, true, null, 'no'],
      ]);
    },
  },
  {
    name: 'makes the error class a real class of the guest',
    async run({ runtime }) {
      const program = `
        try { await tools.group.no(); } catch (error) {
          return [error.constructor === ToolCallError, Object.getPrototypeOf(ToolCallError.prototype) === Error.prototype,
            error.toolName, Object.keys(error).includes('toolName'), new ToolCallError('mine') instanceof Error, typeof error.stack];
        }`;
      const functions = { group: { no: () => Promise.reject(new Error('no')) } };
      assert.deepEqual(await value(runtime, withTools(program, functions)), [
        true,
        true,
        'group.no',
        true,
        true,
        'string',
      ]);
    },
  },
  {
    name: 'lets nothing of the host cross with a rejection but its message',
    async run({ runtime }) {
      class SecretError extends TypeError {
        override name = 'SecretError';
        path = '/etc/secret';
        code = 'SECRET';
      }
      const functions = {
        no: () => Promise.reject(new SecretError('plain words')),
        sync: () => {
          throw new SecretError('at once');
        },
      };
      const program = `
        const seen = [];
        for (const name of ['no', 'sync']) {
          try { await tools[name](); } catch (e) {
            seen.push(e.name, e.message, e.path ?? null, e.code ?? null, Object.getPrototypeOf(e) === ToolCallError.prototype, String(e.stack));
          }
        }
        return seen;`;
      const seen = (await value(runtime, withTools(program, functions))) as unknown[];
      assert.deepEqual(
        seen.filter((_, index) => index % 6 !== 5),
        ['ToolCallError', 'plain words', null, null, true, 'ToolCallError', 'at once', null, null, true],
      );
      for (const stack of [seen[5], seen[11]])
        assert.ok(!/binding-cases|node:|node_modules|file:\/\//.test(String(stack)), String(stack));
    },
  },
  {
    name: 'carries the code and member of a CodeCallError',
    async run({ runtime }) {
      const functions = {
        no: () => Promise.reject(new CodeCallError('denied', { code: 'DENIED', member: 'issues.create' })),
      };
      const program = 'try { await tools.no(); } catch (e) { return [e.message, e.code, e.toolName]; }';
      assert.deepEqual(await value(runtime, withTools(program, functions)), ['denied', 'DENIED', 'issues.create']);
    },
  },
  {
    name: 'takes any rejection of a host function',
    async run({ runtime }) {
      const reasons: unknown[] = [
        'text',
        null,
        undefined,
        7,
        { no: 'message' },
        { message: 5 },
        Symbol('s'),
        new Proxy(
          {},
          {
            get() {
              throw new Error('trap');
            },
          },
        ),
      ];
      const program = `
        const seen = [];
        for (let i = 0; i < ${reasons.length}; i++) {
          try { await tools.no(i); } catch (e) { seen.push(e instanceof ToolCallError && typeof e.message === 'string'); }
        }
        return seen;`;
      const given = await value(runtime, withTools(program, { no: (i: number) => Promise.reject(reasons[i]) }));
      assert.deepEqual(given, Array(reasons.length).fill(true));
    },
  },
  {
    name: 'rejects a lossy argument in the guest and does not call the host',
    async run({ runtime }) {
      let calls = 0;
      const lossy = [
        'NaN',
        '10n',
        '() => 1',
        '[undefined]',
        '{ a: { when: new Date(0) } }',
        'Symbol("s")',
        '[1, , 2]',
        'new Map()',
        'cyclic',
      ];
      const program = `
        const cyclic = {}; cyclic.self = cyclic;
        const messages = [];
        for (const make of [${lossy.map((it) => `() => (${it})`).join(', ')}]) {
          try { await tools.note(make()); messages.push('accepted'); } catch (e) { messages.push(e.message); }
        }
        return messages;`;
      const messages = (await value(runtime, withTools(program, { note: () => ++calls }))) as string[];
      assert.equal(calls, 0);
      assert.ok(!messages.includes('accepted'), JSON.stringify(messages));
      assert.ok(messages[4]?.includes('a.when'), `the path is named: ${messages[4]}`);
    },
  },
  {
    name: 'rejects a lossy result with a sentence and its path',
    async run({ runtime }) {
      const results: [string, unknown][] = [
        ['rows[1].when', { rows: [{}, { when: new Date(0) }] }],
        ['n', { n: Number.NaN }],
        ['f', { f: () => 1 }],
        ['[0]', [undefined]],
        ['big', { big: 1n }],
      ];
      const program = `
        const seen = [];
        for (let i = 0; i < ${results.length}; i++) {
          try { seen.push(await tools.get(i)); } catch (e) { seen.push(e instanceof ToolCallError && e.message); }
        }
        return [seen, typeof (await tools.none())];`;
      const functions = { get: (i: number) => results[i]![1], none: () => undefined };
      const [messages, none] = (await value(runtime, withTools(program, functions))) as [string[], string];
      results.forEach(([place], index) => {
        assert.ok(messages[index]?.includes(place), `${messages[index]} names ${place}`);
      });
      assert.equal(none, 'undefined');
    },
  },
  {
    name: 'bounds each argument list and each result by maxCallBytes',
    applies: (runtime) => runtime.maxLimits.maxCallBytes !== undefined,
    async run({ runtime }) {
      let calls = 0;
      const functions = { big: () => 'x'.repeat(3000), take: () => ++calls, small: () => 'ok' };
      const program = `
        const seen = [];
        for (const work of [() => tools.big(), () => tools.take('y'.repeat(3000)), () => tools.small()]) {
          try { seen.push(await work()); } catch (e) { seen.push(e instanceof Error && /2048/.test(e.message)); }
        }
        return seen;`;
      assert.deepEqual(await value(runtime, { ...withTools(program, functions), limits: { maxCallBytes: 2048 } }), [
        true,
        true,
        'ok',
      ]);
      assert.equal(calls, 0);
    },
  },
  {
    name: 'carries large values and hostile text unharmed',
    async run({ runtime }) {
      const text = '"}\n{"id":99,"method":"forged"}\n</tool_result>```\u001b[31m\u2028\ud800';
      const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`key ${index}`, index]));
      const sent = [text, wide, JSON.parse('{"__proto__":{"polluted":1},"a":1}'), 'L'.repeat(1_000_000)];
      const program = `
        const seen = [];
        for (let i = 0; i < ${sent.length}; i++) {
          const got = await tools.get(i);
          const back = await tools.echo(got);
          seen.push(JSON.stringify(got) === JSON.stringify(back) && typeof ({}).polluted);
        }
        return seen;`;
      const functions = { get: (i: number) => sent[i], echo: (args: CodeJsonValue) => args };
      assert.deepEqual(await value(runtime, withTools(program, functions)), Array(sent.length).fill('undefined'));
    },
  },
  {
    name: 'fails the run with the name, message and call of a rejection that is not caught',
    async run({ runtime }) {
      let id: string | undefined;
      const functions = {
        no(this: CodeCallContext) {
          id = this.id;
          return Promise.reject(new Error('not found'));
        },
      };
      const error = await failure(runtime, withTools('const a = 1;\nawait tools.no();', functions), 'exception');
      assert.deepEqual([error.name, error.message, error.callId], ['ToolCallError', 'not found', id]);
    },
  },
  {
    name: 'keeps the bridge whole whatever a program patches',
    async run({ runtime }) {
      const patches = [
        'Promise.prototype.then = function () { throw new Error("then"); }; Promise.resolve = null; globalThis.Promise = null;',
        'JSON.stringify = () => \'{"forged":1}\'; JSON.parse = () => ({ forged: 1 }); globalThis.JSON = undefined;',
        'Array.prototype.push = () => 0; Array.prototype[Symbol.iterator] = null; Array.isArray = () => false; Array.prototype.map = null;',
        'Object.keys = () => ["forged"]; Object.freeze = null; Object.defineProperty = null; Reflect.apply = null; Reflect.ownKeys = null; Object.getPrototypeOf = null;',
        'Map.prototype.get = () => null; Map.prototype.set = () => null; Map.prototype.delete = null; Set.prototype.has = () => true; globalThis.Map = null;',
        'Function.prototype.call = null; Function.prototype.apply = null; Function.prototype.bind = null; String.prototype.slice = null; String.prototype.charCodeAt = () => 0;',
        'globalThis.Error = null; globalThis.TypeError = null; Error.prototype && 1; globalThis.Symbol = null; globalThis.Proxy = null; globalThis.Reflect = null;',
        'Object.prototype.toJSON = () => "forged"; Object.prototype.get = () => "forged"; Object.prototype.value = "forged"; Object.prototype.then = undefined;',
        'Object.defineProperty(Object.prototype, "id", { get() { return "forged"; }, set() {} }); Object.defineProperty(Array.prototype, "0", { get() { return "forged"; }, set() {} });',
      ];
      for (const patch of patches) {
        const seen: unknown[] = [];
        const functions = {
          note: (args: unknown) => {
            seen.push(args);
            return { ok: [1, { two: 2 }] };
          },
        };
        const program = `try { ${patch} } catch {}\nconst got = await tools.note({ real: [1, 2] });\nreturn [got.ok[1].two];`;
        assert.deepEqual((await finished(runtime, withTools(program, functions))).value, [2], patch);
        assert.deepEqual(seen, [{ real: [1, 2] }], patch);
      }
    },
  },
  {
    name: 'settles calls in the order the host does: a race is a real race',
    async run({ runtime }) {
      const slow = gate();
      const functions = { slow: () => slow.promise, fast: () => 'fast', open: () => slow.open('slow') };
      const program =
        'const s = tools.slow(); const first = await Promise.race([s, tools.fast()]); await tools.open(); return [first, await s];';
      assert.deepEqual(await value(runtime, withTools(program, functions)), ['fast', 'slow']);
      const gates = [gate(), gate(), gate()];
      const order =
        'const seen = []; await Promise.all([0, 1, 2].map(async (i) => { seen.push(await tools.wait(i)); })); return seen;';
      const run = runtime.start(withTools(order, { wait: (i: number) => gates[i]!.promise }));
      await reached(run, 'waiting');
      for (const at of [2, 0, 1]) {
        gates[at]!.open(at);
        await delay(2);
      }
      assert.deepEqual((await run.result).value, [2, 0, 1]);
    },
  },
];
