import { describe, expect, test } from 'vitest';
import { FROZEN_VERSION, FrozenRunError, type FrozenState, packFrozenRun, readFrozenRun } from './frozen-run.ts';

const state: FrozenState = {
  calls: [{ seq: 3, path: ['tools', 'wait'], args: '[{"a":1}]', startedAt: 5 }],
  timers: [[4, 1000]],
  controls: [{ seq: 5, name: 'yield', payload: { reason: 'é\ud800' } }],
  deliveries: ['[1,2]', '[2]'],
  output: [
    { type: 'log', level: 'warn', text: 'careful' },
    { type: 'json', value: { __proto__: null, deep: [1, [2]] } as never },
  ],
  usage: { computeMs: 1.5, wallMs: 20, heapBytes: 100, calls: 3 },
  limits: { computeMs: 1000, maxPendingCalls: 16 },
  namespaces: [{ global: 'tools', table: '{"o":[["wait",0]]}' }],
  globals: ['settings'],
};
const image = Uint8Array.from({ length: 300 }, (_, index) => index * 7);
const frozen = packFrozenRun(image, 'base-hash', state);

describe('a frozen run', () => {
  test('reads as it was packed, also from a copy', () => {
    expect(readFrozenRun(structuredClone(frozen))).toEqual(state);
  });

  test('is refused after a change to any of its bytes', () => {
    const damaged = [];
    for (let at = 0; at < image.length; at++) {
      const bytes = new Uint8Array(image);
      bytes[at]! ^= 0x10;
      damaged.push({ ...frozen, image: bytes });
    }
    for (const field of ['version', 'base', 'state'] as const) {
      for (let at = 0; at < frozen[field].length; at++) {
        const text = frozen[field];
        const changed = String.fromCharCode(text.charCodeAt(at) ^ 1);
        damaged.push({ ...frozen, [field]: text.slice(0, at) + changed + text.slice(at + 1) });
      }
    }
    expect(damaged.length).toBeGreaterThan(600);
    for (const bad of damaged) expect(() => readFrozenRun(bad)).toThrow(FrozenRunError);
  });

  test.each([
    null,
    undefined,
    1,
    {},
    { version: FROZEN_VERSION },
    { ...frozen, image: 'text' },
    { ...frozen, image: [1] },
  ])('is refused where it is none: %j', (given) => {
    expect(() => readFrozenRun(given as never)).toThrow(FrozenRunError);
  });
});
