import { describe, expect, test } from 'vitest';
import { createHarness, deferred, readTool, tool } from './testing/harness.ts';

describe('what is printed', () => {
  test('comes in the order of the calls, each kind as itself', async () => {
    const { exec } = await createHarness();
    const result = await exec(
      `console.log('a', { b: [1] }); text('t'); text({ x: 1 }); text(7); json({ y: [2] }); console.error('e')`,
    );
    expect(result).toMatchObject({
      status: 'completed',
      value: null,
      output: [
        { type: 'log', level: 'log', text: expect.stringMatching(/^a \{ b: \[ ?1 ?\] \}$/) },
        { type: 'text', text: 't' },
        { type: 'text', text: '{"x":1}' },
        { type: 'text', text: '7' },
        { type: 'json', value: { y: [2] } },
        { type: 'log', level: 'error', text: 'e' },
      ],
    });
  });

  test('is only what is new, leg by leg', async () => {
    const { exec, wait } = await createHarness();
    const first = await exec(
      'text("one"); await yield_control(); text("two"); await yield_control(); text("three"); return 4',
    );
    expect(first.output).toEqual([{ type: 'text', text: 'one' }]);
    const runId = first.status === 'waiting' ? first.runId : '';
    expect((await wait(runId)).output).toEqual([{ type: 'text', text: 'two' }]);
    expect(await wait(runId)).toMatchObject({
      status: 'completed',
      value: 4,
      output: [{ type: 'text', text: 'three' }],
    });
  });

  test('is kept when the program fails', async () => {
    const { exec } = await createHarness();
    expect(await exec('text("before"); throw new Error("no")')).toMatchObject({
      status: 'failed',
      code: 'guest_error',
      error: 'no',
      output: [{ type: 'text', text: 'before' }],
    });
  });

  test('too many items to fit fail the run before its next call is made', async () => {
    let made = 0;
    const { exec } = await createHarness({ tools: [tool('count', () => ++made)], config: { maxOutputBytes: 4_096 } });
    const result = await exec('for (let i = 0; i < 3000; i++) text("line " + i); return await tools.count({})');
    expect(result).toMatchObject({ status: 'failed', code: 'output_limit_exceeded' });
    expect(result.output?.[0]).toEqual({ type: 'text', text: 'line 0' });
    expect(made).toBe(0);
  });

  test('an error text alone that does not fit is output_limit_exceeded, and says how it begins', async () => {
    const { exec } = await createHarness({ config: { maxOutputBytes: 2_000 } });
    const result = await exec('throw new Error("too long ".repeat(1000))');
    expect(result).toMatchObject({ status: 'failed', code: 'output_limit_exceeded', line: 1 });
    expect(result.status === 'failed' && result.error).toContain('guest_error');
    expect(result.status === 'failed' && result.error).toContain('it begins: too long');
  });
});

describe('a value that is too large', () => {
  test('is cut, still JSON, and the whole is read in a later program of the same session', async () => {
    const { exec, codeMode } = await createHarness({ config: { maxOutputBytes: 2_048 } });
    const cut = await exec('return Array.from({ length: 5000 }, (_, id) => ({ id }))');
    expect(cut).toMatchObject({ status: 'completed', truncated: true, ref: 'result-1' });
    const rows = cut.status === 'completed' ? (cut.value as unknown[]) : [];
    expect(rows[0]).toEqual({ id: 0 });
    expect(rows.at(-1)).toBe(`… ${5_000 - (rows.length - 1)} more items`);
    expect(cut.output?.at(-1)).toMatchObject({
      type: 'note',
      text: expect.stringContaining('results.read("result-1"'),
    });
    expect(await exec('const rows = await results.read("result-1"); return [rows.length, rows[4999]]')).toMatchObject({
      value: [5000, { id: 4999 }],
    });
    expect(await exec('return await results.read("result-1", { offset: 10, limit: 2 })')).toMatchObject({
      value: [{ id: 10 }, { id: 11 }],
    });
    expect(await exec('return await results.read("result-1")', { scope: { sessionId: 'other' } })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('not a kept result of this session'),
    });
    const ofSession = (sessionId: string) => codeMode.keptResult('result-1', { scope: { sessionId } });
    expect(ofSession('session-1')).toHaveLength(5000);
    expect(() => ofSession('other')).toThrow('not a kept result of this session');
    await codeMode.endSession({ sessionId: 'session-1' });
    expect(await exec('return await results.read("result-1")')).toMatchObject({ status: 'failed' });
    expect(() => ofSession('session-1')).toThrow('not a kept result of this session');
  });

  test('shares the budget with what was printed, over all legs', async () => {
    const { exec, wait } = await createHarness({ config: { maxOutputBytes: 4_000 } });
    const first = await exec('text("x".repeat(10000)); await yield_control(); return "y".repeat(10000)');
    expect(first.output?.[0]).toMatchObject({ truncated: true, ref: 'result-1' });
    const last = await wait(first.status === 'waiting' ? first.runId : '');
    expect(last).toMatchObject({ status: 'completed', truncated: true, ref: 'result-2' });
    const shown =
      JSON.stringify(first.output) + JSON.stringify(last.status === 'completed' && [last.output, last.value]);
    expect(shown.length).toBeLessThan(4_200);
  });

  test('larger than what is kept says that nothing is kept', async () => {
    const { exec } = await createHarness({ config: { maxOutputBytes: 2_048, keptResultsBytes: 4_000 } });
    const cut = await exec('return "x".repeat(9000)');
    expect(cut).toMatchObject({ status: 'completed', truncated: true });
    expect(cut.status === 'completed' && cut.ref).toBeFalsy();
    expect(JSON.stringify(cut.output)).toContain('too large to keep');
  });
});

describe('what is no JSON', () => {
  const value = async (code: string) => {
    const { exec } = await createHarness();
    const result = await exec(code);
    if (result.status !== 'completed') throw new Error(JSON.stringify(result));
    return { value: result.value, notes: result.output?.map((item) => item.type === 'note' && item.text).join() ?? '' };
  };

  test.each<[string, unknown, string]>([
    ['return new Date(0)', '1970-01-01T00:00:00.000Z', 'value: a Date became its ISO text'],
    ['return { when: new Date(NaN) }', { when: 'Invalid Date' }, 'value.when: a Date became its ISO text'],
    [
      'return { m: new Map([["a", new Set([1])]]) }',
      { m: [['a', [1]]] },
      'value.m: a Map became an array of [key, value]',
    ],
    ['return [new Set(["x"])]', [['x']], 'value[0]: a Set became an array'],
    [
      'return { e: new TypeError("bad") }',
      { e: { name: 'TypeError', message: 'bad' } },
      'value.e: an Error became its name and message',
    ],
    ['return { a: undefined, b: 1 }', { b: 1 }, ''],
    ['return [undefined, 1]', [null, 1], ''],
    ['return [, 1]', [null, 1], ''],
    [
      'const a = { n: 1 }; a.self = a; return a',
      { n: 1, self: '[Circular]' },
      'value.self: the value contains itself here',
    ],
    ['const s = { n: 1 }; return [s, s]', [{ n: 1 }, { n: 1 }], ''],
    ['return { f: function go() {} }', { f: '[Function go]' }, 'value.f: a function is not JSON'],
    ['return { n: 12n }', { n: '[BigInt 12]' }, 'value.n: a BigInt is not JSON'],
    ['return [NaN, -Infinity]', ['[NaN]', '[-Infinity]'], 'value[0]: NaN is not JSON'],
    ['return { s: Symbol("x") }', { s: '[Symbol(x)]' }, 'value.s: a symbol is not JSON'],
    ['return new Uint8Array(3)', '[Uint8Array, 3 bytes]', 'value: binary data is not JSON'],
    ['return { b: new ArrayBuffer(8) }', { b: '[ArrayBuffer, 8 bytes]' }, 'value.b: binary data is not JSON'],
    ['return { r: /a+/gi }', { r: '/a+/gi' }, 'value.r: a RegExp became its text'],
    ['return { u: new URL("https://example.org/a") }', { u: 'https://example.org/a' }, ''],
    [
      'class P { x = 1; get y() { return 2 } } return new P()',
      { x: 1 },
      'value: an instance of P became its own fields',
    ],
    ['class T { toJSON() { return { t: 1 } } } return new T()', { t: 1 }, ''],
    [
      'class Empty {} return { e: new Empty() }',
      { e: '[Empty]' },
      'value.e: an instance of Empty has no fields to show',
    ],
    ['return { w: new WeakMap() }', { w: '[WeakMap]' }, 'value.w: a WeakMap is not JSON'],
    ['return { p: Promise.resolve(1) }', { p: '[Promise, not awaited]' }, 'value.p: a promise was not awaited'],
    ['return [Object(1), Object("s"), Object(true)]', [1, 's', true], ''],
    ['return { get bad() { throw new Error("x") } }', { bad: '[a getter that throws]' }, ''],
    ['return { [Symbol.toStringTag]: "Date", x: 1 }', { x: 1 }, ''],
    ['return Object.create(null, { a: { value: 1, enumerable: true } })', { a: 1 }, ''],
    [
      'return JSON.parse(\'{"__proto__": {"x": 1}, "constructor": 2}\')',
      JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'),
      '',
    ],
    ['return -0', 0, ''],
  ])('%s', async (code, expected, note) => {
    const got = await value(code);
    expect(got.value).toEqual(expected);
    expect(got.notes).toContain(note);
    if (note === '') expect(got.notes).not.toMatch(/Date|Map|instance/);
  });

  test('text and json convert without a note where nothing is lost, and with one where something is', async () => {
    const { exec } = await createHarness();
    const result = await exec(
      'json({ d: new Date(0), s: new Set([1]) }); text(new Map([[1, 2]])); json({ n: 5n }); text(undefined); json(undefined)',
    );
    expect(result.output).toEqual([
      { type: 'json', value: { d: '1970-01-01T00:00:00.000Z', s: [1] } },
      { type: 'text', text: '[[1,2]]' },
      { type: 'json', value: { n: '[BigInt 5]' } },
      { type: 'note', text: 'json.n: a BigInt is not JSON; convert it with Number(…) or String(…)' },
      { type: 'text', text: 'undefined' },
      { type: 'json', value: null },
    ]);
  });

  test('many conversions are one note', async () => {
    const { notes } = await value('return Array.from({ length: 40 }, () => new Date(0))');
    expect(notes).toMatch(/value\[4\]: a Date became its ISO text; and 35 more$/);
  });

  test('deep values are converted too', async () => {
    const { exec } = await createHarness();
    const result = await exec('let v = new Date(0); for (let i = 0; i < 3000; i++) v = [v]; return v');
    expect(result.status).toBe('completed');
  });

  test('a program that changes built-ins cannot stop the conversion', async () => {
    const { exec } = await createHarness();
    const result = await exec(`
      const m = new Map(); m.set(1, 2);
      Array.prototype.push = JSON.stringify = Map.prototype.get = Object.defineProperty = () => { throw new Error('mine') };
      Date.prototype.toISOString = () => 'forged'; Array.prototype[Symbol.iterator] = undefined;
      return { d: new Date(0), m }`);
    expect(result).toMatchObject({ status: 'completed', value: { d: '1970-01-01T00:00:00.000Z', m: [[1, 2]] } });
  });

  test('a program that returns and prints nothing is told so', async () => {
    const { exec } = await createHarness();
    expect(await exec('const x = 1')).toMatchObject({
      status: 'completed',
      value: null,
      output: [{ type: 'note', text: expect.stringContaining('end it with `return <value>`') }],
    });
    expect(await exec('return null')).not.toHaveProperty('output');
  });

  test('run_code stays strict', async () => {
    const { tools } = await createHarness({
      registry: { mode: 'code', transport: 'run_code' },
      tools: [tool('t', () => 1)],
    });
    const outcome = await tools.execute({
      callId: '1',
      name: 'run_code',
      arguments: { code: 'return new Map()' },
      scope: {},
    });
    expect(outcome).toMatchObject({
      isError: true,
      code: 'CODE_RUN_FAILED',
      message: expect.stringContaining('invalid-output'),
    });
  });
});

describe('telemetry', () => {
  test('counts over all legs, names tools and never holds inputs or outputs', async () => {
    const gate = deferred();
    const { execUntilCall, wait, tools } = await createHarness({ tools: [readTool('gate', () => gate.promise)] });
    tools.registrar({ source: 'mcp', owner: 'srv' }).register(tool('echo', () => ({ content: [] })));
    tools.register(tool('photo', () => 1, { directOnly: true }));
    const { runId } = await execUntilCall(
      'await tools.search("gate"); await tools.describe("gate"); return await tools.gate({ secret: "hunter2" })',
    );
    gate.resolve('password');
    const last = await wait(runId);
    expect(last).toMatchObject({ status: 'completed', value: 'password' });
    expect(last.telemetry).toEqual({
      catalogSize: 2,
      sources: { host: 1, plugin: 0, mcp: 1, client: 0 },
      searchCount: 1,
      describeCount: 1,
      callCount: 1,
      execCount: 1,
      waitCount: 1,
      calledTools: ['host:core:gate'],
      visibleTools: ['exec', 'wait', 'photo'],
      computeMs: expect.any(Number),
      snapshotBytes: expect.any(Number),
    });
    expect(JSON.stringify(last.telemetry)).not.toMatch(/hunter2|password/);
    expect(last.telemetry.snapshotBytes).toBeGreaterThan(1_000);
  });
});
