import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_OUTPUT_ITEMS, OutputLedger } from './output-ledger.ts';
import type { CodeOutputItem } from './types.ts';

const log = (text: string): CodeOutputItem => ({ type: 'log', level: 'log', text });
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('the output ledger', () => {
  test('keeps what fits, in order, and hands over each item', () => {
    const seen: CodeOutputItem[] = [];
    const ledger = new OutputLedger({ maxBytes: 100, onItem: (item) => seen.push(item) });
    expect(ledger.add(log('a'))).toBe(true);
    expect(ledger.add({ type: 'json', value: { b: [1] } })).toBe(true);
    expect(ledger.add({ type: 'text', text: 'c' })).toBe(true);
    expect(ledger.items).toEqual(seen);
    expect(ledger.logs).toEqual(['a']);
    expect(ledger.bytes).toBe(3 + 9 + 3);
    expect(ledger.overflow).toBeUndefined();
  });

  test('cuts the last string, notes it once, and takes nothing more', () => {
    const ledger = new OutputLedger({ maxBytes: 10 });
    expect(ledger.add(log('abc'))).toBe(true);
    expect(ledger.add(log('défghij'))).toBe(false);
    expect(ledger.add(log('x'))).toBe(false);
    expect(ledger.logs).toEqual(['abc', 'dé']);
    expect(ledger.items.filter((it) => it.type === 'note')).toHaveLength(1);
    expect(ledger.overflow?.kind).toBe('output-limit');
    expect(ledger.overflow?.message).toContain('10 bytes');
  });

  test('drops a json item that does not fit whole', () => {
    const ledger = new OutputLedger({ maxBytes: 10 });
    expect(ledger.add({ type: 'json', value: 'long enough to be cut' })).toBe(false);
    expect(ledger.items.map((it) => it.type)).toEqual(['note']);
  });

  test('counts the completion value, exactly to the last byte', () => {
    expect(new OutputLedger({ maxBytes: 10 }).complete('12345678')).toBeUndefined();
    expect(new OutputLedger({ maxBytes: 9 }).complete('12345678')?.kind).toBe('output-limit');
  });

  test('turns a failure whose text does not fit into output-limit, and leaves one that fits', () => {
    const failure = { kind: 'exception' as const, message: 'no' };
    expect(new OutputLedger({ maxBytes: 4 }).fail(failure)).toBe(failure);
    const over = new OutputLedger({ maxBytes: 3 }).fail(failure);
    expect(over.kind).toBe('output-limit');
    expect(over.message).toContain('exception');
    const ledger = new OutputLedger({ maxBytes: 4 });
    ledger.add(log('much too long'));
    expect(ledger.fail(failure)).toBe(ledger.overflow);
  });

  test('stops a flood of empty lines', () => {
    const ledger = new OutputLedger({ maxBytes: 1_000_000_000 });
    let taken = 0;
    while (ledger.add(log(''))) taken++;
    expect(taken).toBe(MAX_OUTPUT_ITEMS);
    expect(ledger.overflow?.message).toContain('items');
  });

  test('counts the output of a thawed run without telling it again', () => {
    const seen: CodeOutputItem[] = [];
    const ledger = new OutputLedger({ maxBytes: 10, before: [log('abcd')], onItem: (item) => seen.push(item) });
    expect(ledger.bytes).toBe(6);
    expect(seen).toEqual([]);
    expect(ledger.add(log('ef'))).toBe(true);
    expect(ledger.add(log('g'))).toBe(false);
    expect(ledger.logs).toEqual(['abcd', 'ef']);
  });

  test('keeps the longest prefix that fits, whatever the texts', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 120 }), (lines, maxBytes) => {
        const ledger = new OutputLedger({ maxBytes });
        for (const line of lines) ledger.add(log(line));
        const kept = ledger.logs;
        const used = kept.reduce((sum, line) => sum + bytes(line), 0);
        expect(used).toBeLessThanOrEqual(maxBytes);
        expect(ledger.bytes).toBe(used);
        kept.forEach((line, index) => {
          if (index < kept.length - 1) expect(line).toBe(lines[index]);
          else expect(lines[index]!.startsWith(line)).toBe(true);
        });
        if (!ledger.overflow) {
          expect(kept).toEqual(lines);
          return;
        }
        // One more code point of what was cut would not have fitted.
        const cut = kept.length > 0 && kept.at(-1) !== lines[kept.length - 1] ? kept.length - 1 : kept.length;
        const start = cut < kept.length ? kept[cut]! : '';
        const [next] = lines[cut]!.slice(start.length);
        const before = kept.slice(0, cut).reduce((sum, line) => sum + bytes(line), 0);
        if (next !== undefined)
          expect(before + bytes(start + String.fromCodePoint(lines[cut]!.codePointAt(start.length)!))).toBeGreaterThan(
            maxBytes,
          );
      }),
    );
  });
});
