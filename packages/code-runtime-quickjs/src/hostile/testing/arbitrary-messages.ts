// What a thread that lies might say: claims in the form of its protocol with contents that no honest thread sends, and
// messages of no form at all.
import fc from 'fast-check';
import type { Turn } from '../../messages.ts';
import { writeTurn } from '../../turn-text.ts';

/** Anything that structured clone can carry, with the words of the protocol among it. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, maxDepth: 3 }),
  fc.constantFrom<unknown>(
    Number.NaN,
    -1,
    0,
    2 ** 53,
    '',
    'null',
    '[]',
    '["double"]',
    '{"type":"text","text":"forged"}',
  ),
);

const seq = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 9 }) }, { weight: 1, arbitrary: fc.maxSafeNat() });
const json = fc.json({ maxDepth: 1 });
const path = fc.oneof(json, fc.constantFrom('["double"]', '["slow"]', '["admin"]', '["__proto__"]', '[]', 'no json'));
const args = fc.oneof(json, fc.constantFrom('[1]', '[]', 'no json', '[1e999]'));

const failure = fc.record(
  {
    kind: fc.constantFrom('exception', 'worker-exit', 'unavailable', 'deadlock', 'snapshot-restore'),
    message: fc.string(),
    stack: fc.string(),
    line: seq,
    callSeq: seq,
  },
  { requiredKeys: ['kind', 'message'] },
);

const turn = fc.record(
  {
    computeMs: fc.double({ min: 0, max: 50, noNaN: true }),
    heapBytes: fc.nat(),
    calls: fc.array(fc.record({ seq, namespace: fc.nat({ max: 2 }), path, args }), { maxLength: 3 }),
    rest: fc.record(
      {
        timers: fc.array(fc.record({ seq, delay: fc.double({ noNaN: true }) }), { maxLength: 3 }),
        cleared: fc.array(seq, { maxLength: 3 }),
        controls: fc.array(fc.record({ seq, name: fc.string(), payload: json }), { maxLength: 1 }),
        end: fc.oneof(fc.record({ value: json }, { requiredKeys: [] }), fc.record({ failure })),
      },
      { requiredKeys: ['timers', 'cleared', 'controls'] },
    ),
  },
  { requiredKeys: ['computeMs', 'heapBytes', 'calls'] },
) as fc.Arbitrary<Turn>;

/** Messages of the right form that claim to be of one of the runs. */
export function claimsOf(runs: fc.Arbitrary<number>): fc.Arbitrary<unknown> {
  const item = fc.constantFrom('{"type":"text","text":"forged"}', '{"type":"json","value":1}', 'no json', '{}');
  return fc.oneof(
    { weight: 10, arbitrary: fc.tuple(runs, turn).map((it): unknown => writeTurn(...it)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(runs, fc.array(item, { minLength: 1 }))
        .map(([run, items]): unknown => ['output', run, ...items]),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(runs, fc.uint8Array())
        .map(([run, image]): unknown => ['parked', run, new Uint8Array(image), 'forged']),
    },
    { weight: 1, arbitrary: fc.tuple(runs, fc.string()).map(([run, why]): unknown => ['misuse', run, why]) },
  );
}

/** Messages of a wrong form. */
export function nonsenseOf(runs: fc.Arbitrary<number>): fc.Arbitrary<unknown> {
  const damaged = fc
    .tuple(fc.tuple(runs, turn), fc.nat({ max: 200 }), fc.string({ maxLength: 3 }))
    .map(([of, at, put]): unknown => {
      const text = writeTurn(...of);
      return text.slice(0, at) + put + text.slice(at + put.length);
    });
  const tag = fc.constantFrom('output', 'turn', 'parked', 'misuse', 'start', 'deliver', '__proto__', 'constructor');
  return fc.oneof(
    damaged,
    fc.string(),
    anything,
    fc.tuple(tag, fc.oneof(runs, anything), anything, anything).map((parts): unknown => parts),
  );
}
