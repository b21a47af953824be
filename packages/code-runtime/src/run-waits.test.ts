import { expect, test, vi } from 'vitest';
import { bindingTable } from './binding-table.ts';
import { CodeCallError } from './errors.ts';
import { RunWaits } from './run-waits.ts';

const functions = {
  double: (n: number) => n * 2,
  nothing: () => {},
  fail: () => {
    throw new Error('no');
  },
  refuse: () => {
    throw new CodeCallError('denied', { code: 'policy', member: 'a.b' });
  },
  hang: () => new Promise(() => {}),
};

function makeWaits() {
  let heard = 0;
  const waits = new RunWaits({
    namespaces: [{ global: 'tools', table: bindingTable({ global: 'tools', functions }) }],
    maxPendingCalls: 10,
    maxCallBytes: 1000,
    drainMs: 1,
    abortGraceMs: 1,
    onDelivery: () => {
      heard++;
    },
  });
  return { waits, heard: () => heard };
}

test('deliveries say what settled, and how, and are taken once', async () => {
  const { waits, heard } = makeWaits();
  expect(waits.areOver).toBe(true);
  for (const [index, name] of Object.keys(functions).entries()) {
    expect(waits.call(index + 1, 0, [name], '[4]')).toBe(true);
  }
  waits.timers.arm(6, 0);
  await vi.waitFor(() => expect(waits.deliveries).toHaveLength(5));
  expect(waits.deliveries.map((it) => JSON.parse(it) as [number]).sort(([a], [b]) => a - b)).toEqual([
    [1, 8],
    [2],
    [3, 0, 'no', null, null],
    [4, 0, 'denied', 'policy', 'a.b'],
    [6],
  ]);
  expect(heard()).toBe(5);
  expect(waits.takeDeliveries()).toHaveLength(5);
  expect(waits.takeDeliveries()).toEqual([]);
  expect(waits.pending().map((it) => it.id)).toEqual(['call-5']);
});

test('a call of a namespace that is not there is not taken', () => {
  const { waits } = makeWaits();
  expect(waits.call(1, 1, ['double'], '[4]')).toBe(false);
  expect(waits.calls.size).toBe(0);
});

test('released controls come after what settled before, and nobody is told of them', () => {
  const { waits, heard } = makeWaits();
  waits.controls.raise(1, 'yield', null);
  expect(waits.areOver).toBe(false);
  waits.deliver('[9]');
  waits.releaseControls();
  expect([waits.deliveries, heard()]).toEqual([['[9]', '[1]'], 1]);
});

test('once cleared only calls are pending', () => {
  const { waits } = makeWaits();
  waits.call(1, 0, ['hang'], '[]');
  waits.controls.raise(2, 'yield', null);
  waits.timers.arm(3, Date.now() + 60_000);
  waits.deliver('[4]');
  expect(waits.pending().map((it) => it.id)).toEqual(['call-1', 'timer-3', 'control-2']);
  waits.clear();
  expect([waits.pending().map((it) => it.id), waits.deliveries]).toEqual([['call-1'], []]);
});
