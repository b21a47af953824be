// The library as a program finds it: in the engine itself, asked the same as Node.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { QuickJS } from 'quickjs-wasi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import library from './index.ts?bundle=guest';

const wasmPath = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
const cases: { name: string; ask: string; gives?: unknown }[] = JSON.parse(
  readFileSync(new URL('../../fixtures/guest-library-cases.json', import.meta.url), 'utf8'),
);

let vm: QuickJS;
const lines: string[] = [];
const timers = new Map<number, string>();

/** Evaluates a body in the guest and gives what it returns, by JSON. */
function ask(body: string): unknown {
  const result = vm.evalCode(`JSON.stringify((() => { ${body} })())`);
  try {
    return JSON.parse(result.toString());
  } finally {
    result.dispose();
  }
}

function fire(id: number): void {
  timers.delete(id);
  vm.evalCode(`__fire(${id})`).dispose();
  vm.executePendingJobs();
}

beforeAll(async () => {
  vm = await QuickJS.create({ wasm: readFileSync(wasmPath) });
  const hostFunctions: Record<string, (...args: string[]) => string> = {
    __log: (level, text) => String(lines.push(`${level} ${text}`)),
    __start: (id, delay) => String(timers.set(Number(id), delay!).size),
    __stop: (id) => String(timers.delete(Number(id))),
    __random: (count) => Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(Number(count)))).toString('hex'),
  };
  for (const [name, host] of Object.entries(hostFunctions)) {
    const made = vm.newFunction(name, (...args) => vm.newString(host(...args.map((arg) => arg.toString()))));
    vm.setProp(vm.global, name, made);
  }
  const install = `(() => {
    const [log, startTimer, stopTimer, randomHex] = [__log, __start, __stop, __random];
    let last = 100;
    const fires = new Map();
    globalThis.__fire = (id) => { const run = fires.get(id); fires.delete(id); run(); };
    const host = {
      log,
      startTimer(delay, run) { fires.set(++last, run); startTimer(String(last), String(delay)); return last; },
      stopTimer(id) { stopTimer(String(id)); },
      randomHex: (count) => randomHex(String(count)),
      labelOf: (value) => value.isKnown ? 'known' : undefined,
    };
    (${library}).installGuestLibrary(host);
  })()`;
  vm.evalCode(install).dispose();
});

afterAll(() => vm.dispose());

describe('the guest library', () => {
  test.each(cases)('$name', ({ ask: body, gives }) => {
    const wanted = gives !== undefined ? gives : JSON.parse(JSON.stringify(new Function(body)()));
    expect(ask(body)).toEqual(wanted);
  });

  test('leaves no name of its own, and shows none in a loop over the globals', () => {
    expect(ask('return Object.keys(globalThis).filter((name) => !name.startsWith("__"))')).toEqual(['performance']);
    for (const name of [
      'URL',
      'URLSearchParams',
      'TextEncoder',
      'TextDecoder',
      'structuredClone',
      'setTimeout',
      'crypto',
      'console',
    ]) {
      expect(ask(`const own = Object.getOwnPropertyDescriptor(globalThis, '${name}'); return own.enumerable`)).toBe(
        false,
      );
    }
  });

  test('lets a program put its own in the place of any of them', () => {
    expect(ask('const real = URL; URL = 5; const seen = URL; URL = real; return [seen, typeof URL]')).toEqual([
      5,
      'function',
    ]);
  });

  test('writes console lines with their level', () => {
    lines.length = 0;
    ask(
      `console.log('a', { b: [1, 'x'] }); console.error(new TypeError('no')); console.warn({ isKnown: true }); console.log([new URL('https://é.b')], new URLSearchParams('a=1')); return 0`,
    );
    expect(lines).toEqual([
      "log a { b: [ 1, 'x' ] }",
      'error TypeError: no',
      'warn known',
      'log [ URL { "https://xn--9ca.b/" } ] URLSearchParams { "a=1" }',
    ]);
  });

  test('runs timers with their arguments, once or again and again', () => {
    ask(
      `globalThis.seen = []; setTimeout((a, b) => seen.push(a + b), 5.9, 'x', 'y'); globalThis.every = setInterval(() => seen.push('i'), 10); return 0`,
    );
    const [once, again] = [...timers.keys()];
    expect([...timers.values()]).toEqual(['5', '10']);
    fire(once!);
    fire(again!);
    fire([...timers.keys()][0]!);
    expect(ask('clearInterval(every); return seen')).toEqual(['xy', 'i', 'i']);
    expect(timers.size).toBe(0);
  });

  test('stops timers, and bounds their delays and their number', () => {
    expect(
      ask(
        'const id = setTimeout(() => {}, 1e12); clearTimeout(String(id)); clearTimeout(99999); clearTimeout(); return typeof id',
      ),
    ).toBe('number');
    expect(timers.size).toBe(0);
    ask(
      'globalThis.t = [setTimeout(() => {}, 1e12), setTimeout(() => {}), setTimeout(() => {}, -5), setTimeout(() => {}, "7")]; return 0',
    );
    expect([...timers.values()]).toEqual(['2147483647', '1', '1', '7']);
    ask('t.forEach(clearTimeout); return 0');
    expect(ask('try { setTimeout("code", 1) } catch (error) { return String(error) }')).toBe(
      'TypeError: setTimeout: the first argument must be a function',
    );
    const many = ask(
      `let made = []; let refused; try { for (;;) made.push(setTimeout(() => {}, 1e6)) } catch (error) { refused = String(error) } made.forEach(clearTimeout); return [made.length, refused]`,
    );
    expect(many).toEqual([10_000, 'RangeError: setTimeout: more than 10000 timers are pending']);
  });

  test('gives random values of the right shape, never the same twice', () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const uuids = ask('return Array.from({ length: 50 }, () => crypto.randomUUID())') as string[];
    for (const one of uuids) expect(one).toMatch(uuid);
    expect(new Set(uuids).size).toBe(50);
    const values = ask('const a = new Uint16Array(64); return [crypto.getRandomValues(a) === a, new Set(a).size > 40]');
    expect(values).toEqual([true, true]);
  });
});
