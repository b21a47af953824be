// What nobody should send: programs of megabytes, of nothing, of broken text, in the wrong language.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createQuickJsRuntime, type QuickJsRuntime } from '../runtime.ts';

let runtime: QuickJsRuntime;
beforeAll(async () => {
  runtime = await createQuickJsRuntime({ workers: 2 });
});
afterAll(() => runtime?.dispose());

const run = (program: string) => runtime.run({ program, bindings: [], limits: { computeMs: 15_000 } });

describe('bad input', () => {
  test('programs of ten megabytes end, and the next one is served', { timeout: 120_000 }, async () => {
    const size = 10 * 1024 * 1024;
    const programs = [
      `// ${'x'.repeat(size)}\nreturn 1;`,
      `return "${'y'.repeat(size)}".length;`,
      '('.repeat(size),
      'x'.repeat(size),
    ];
    for (const program of programs) {
      const { value, error } = await run(program);
      if (error) expect(['syntax', 'exception', 'memory-limit', 'timeout', 'stack-overflow']).toContain(error.kind);
      else expect([1, size]).toContain(value);
      expect((await run('return 2;')).value).toBe(2);
    }
  });

  test('empty programs have no value', async () => {
    for (const program of ['', ' ', '\n\n', ';', '\ufeff', '/* */', '#!/usr/bin/env node\n']) {
      const result = await run(program);
      expect([result.value, result.error]).toEqual([undefined, undefined]);
    }
  });

  test('broken UTF-16 is kept inside strings and refused outside', async () => {
    expect((await run('return "\ud800x\udc00";')).value).toBe('\ud800x\udc00');
    expect((await run('return "\\ud800".length;')).value).toBe(1);
    expect((await run('const \ud800 = 1;')).error?.kind).toBe('syntax');
    expect((await run('// \udfff\nreturn 1;')).value).toBe(1);
    expect((await run('return "a\\0b\u0000c".length;')).value).toBe(5);
  });

  test('text that is no program fails as such, with a place', async () => {
    for (const program of [
      'ls -la | grep x',
      'def f(x):\n    return x',
      'Here is the program:\n\nreturn 1;',
      '{"json": true',
      'SELECT * FROM t;',
    ]) {
      const { error } = await run(program);
      expect(error?.kind).toBe('syntax');
      expect(error?.line).toBeGreaterThan(0);
    }
  });

  test('odd names of bindings are served or refused, and never reach another', async () => {
    const names = [
      '',
      ' ',
      '\n',
      '\u0000',
      '\ud800',
      '__proto__',
      'a.b',
      'a"b',
      "a'b",
      'a`b`',
      '</script>',
      'x'.repeat(5_000),
      '\u202e',
      '1',
      '[0]',
    ];
    const functions = Object.create(null) as Record<string, () => string>;
    for (const name of names) functions[name] = () => name;
    const bindings = [{ global: 'odd', functions }];
    const result = await runtime.run({
      program: 'const out = []; for (const name of Object.keys(odd)) out.push(name === await odd[name]()); return out;',
      bindings,
    });
    expect(result.value).toEqual(Array(names.length).fill(true));
  });

  test('a frozen run with any byte flipped is refused or runs within its bounds, never with a crash', {
    timeout: 120_000,
  }, async () => {
    const bindings = [{ global: 'tools', functions: { wait: () => new Promise(() => {}) } }];
    const started = runtime.start({
      program: 'const kept = [1, 2, 3]; await tools.wait(); return kept.length;',
      bindings,
    });
    await started.hold();
    const [call] = started.pending();
    const frozen = await started.freeze();
    await expect(started.result).rejects.toThrow('frozen');
    const settlements = { [call!.id]: { ok: true as const, value: null } };
    const step = Math.max(1, Math.floor(frozen.image.length / 40));
    for (let at = 0; at < frozen.image.length; at += step) {
      const image = new Uint8Array(frozen.image);
      image[at] = image[at]! ^ 0x10;
      const result = await runtime.thaw({ ...frozen, image }, { bindings, settlements }).result;
      expect(result.error?.kind).toBe('snapshot-restore');
    }
    expect((await runtime.thaw(frozen, { bindings, settlements }).result).value).toBe(3);
  });
});
