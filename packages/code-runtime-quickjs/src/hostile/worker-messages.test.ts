// A worker that runs hostile programs may say anything: its messages are rebuilt field by field, and what is left of
// a forged one cannot call what was not granted, settle twice, or speak for another run.

import { bindingTable, HostCalls } from '@codeseam/code-runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMessage } from '../read-message.ts';
import { claimsOf, nonsenseOf } from './testing/arbitrary-messages.ts';

const runs = fc.nat({ max: 9 });
const messages = fc.oneof(claimsOf(runs), nonsenseOf(runs));

const isSeq = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

describe('messages of a worker', () => {
  test('are dropped or rebuilt, whatever they are, and never throw', () => {
    let turns = 0;
    fc.assert(
      fc.property(messages, (message) => {
        const read = readMessage(message);
        if (read === undefined) return;
        expect(['output', 'turn', 'parked', 'misuse']).toContain(read.kind);
        expect(Number.isSafeInteger(read.run)).toBe(true);
        if (read.kind === 'output') for (const item of read.items) expect(typeof item).toBe('string');
        if (read.kind !== 'turn') return;
        const { calls, computeMs, heapBytes } = read.turn;
        turns++;
        for (const { seq, namespace, path, args } of calls) {
          expect(isSeq(seq) && isSeq(namespace) && typeof path === 'string' && typeof args === 'string').toBe(true);
        }
        for (const { seq, delay } of read.turn.rest?.timers ?? [])
          expect(isSeq(seq) && typeof delay === 'number').toBe(true);
        for (const seq of read.turn.rest?.cleared ?? []) expect(isSeq(seq)).toBe(true);
        for (const { seq, name, payload } of read.turn.rest?.controls ?? []) {
          expect(isSeq(seq) && typeof name === 'string' && payload !== undefined).toBe(true);
        }
        expect(computeMs >= 0 && heapBytes >= 0).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    // The generator does make messages that are taken.
    expect(turns).toBeGreaterThan(500);
  });

  test('cannot make a call that was not granted, make one twice, or reach a member by another path', async () => {
    const paths = fc.array(
      fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.constantFrom('tools', 'echo', 'admin', 'constructor', '__proto__', 'data', '0', 'call'),
      ),
      { maxLength: 4 },
    );
    const attempts = fc.array(
      fc.tuple(
        fc.oneof(fc.integer({ min: -2, max: 12 }), fc.double()),
        paths,
        fc.oneof(fc.json({ maxDepth: 2 }), fc.string()),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(attempts, async (tries) => {
        const granted: string[] = [];
        const settled: number[] = [];
        const functions = {
          echo(this: { id: string }) {
            granted.push(this.id);
            return 1;
          },
          data: { list: [1] },
        };
        const calls = new HostCalls({
          namespaces: [{ global: 'tools', table: bindingTable({ global: 'tools', functions }) }],
          maxPendingCalls: 4,
          maxCallBytes: 1_000,
          drainMs: 1,
          abortGraceMs: 1,
          onSettled: (seq) => void settled.push(seq),
        });
        const accepted = tries.filter(([seq, path, args]) => calls.accept(seq, path, args));
        await new Promise((resolve) => setImmediate(resolve));
        expect(calls.size).toBe(0);
        expect(new Set(settled).size).toBe(settled.length);
        expect(settled.length).toBe(accepted.length);
        const real = accepted.filter(([, path, args]) => path.join('/') === 'tools/echo' && isList(args));
        expect(granted).toEqual(real.map(([seq]) => `call-${seq}`));
      }),
      { numRuns: 500 },
    );
  });
});

function isList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}
