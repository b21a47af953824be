import { type JsonValue, jsonBytes } from '@codeseam/lossless-json';
import { describe, expect, test } from 'vitest';
import { OutputCollector } from './output-collector.ts';

const collector = (maxBytes: number) => {
  const kept: JsonValue[] = [];
  const output = new OutputCollector({ maxBytes, keep: (value) => `result-${kept.push(value)}` });
  return { output, kept };
};
const text = (value: string) => ({ type: 'text' as const, text: value });
const sizeOf = (taken: unknown) => jsonBytes(taken as JsonValue);

describe('OutputCollector', () => {
  test('gives each item once, in order, and the value at the end', () => {
    const { output } = collector(1_024);
    output.add(text('a'));
    expect(output.take({ last: false })).toEqual({ output: [text('a')], overflow: false });
    output.add({ type: 'json', value: [1] });
    output.add({ type: 'log', level: 'warn', text: 'b' });
    expect(output.take({ last: true, value: { x: 1 } })).toEqual({
      output: [
        { type: 'json', value: [1] },
        { type: 'log', level: 'warn', text: 'b' },
      ],
      value: { x: 1 },
      overflow: false,
    });
  });

  test('cuts what is too large, keeps the whole of it, and says how to read it', () => {
    const { output, kept } = collector(2_000);
    output.add(text('small'));
    output.add(text('x'.repeat(5_000)));
    const value = Array.from({ length: 1_000 }, (_, at) => at);
    const taken = output.take({ last: true, value });
    expect(taken.output[0]).toEqual(text('small'));
    expect(taken.output[1]).toMatchObject({ type: 'text', truncated: true, ref: 'result-1' });
    expect(taken).toMatchObject({ truncated: true, ref: 'result-2', overflow: false });
    expect((taken.value as JsonValue[]).at(-1)).toMatch(/more items/);
    expect(kept).toEqual(['x'.repeat(5_000), value]);
    expect(taken.output.at(-1)).toEqual({
      type: 'note',
      text: '2 parts were cut to fit maxOutputBytes; the whole is kept: in a later program, await results.read("result-1", { offset: 0, limit: 10000 })',
    });
    expect(sizeOf(taken.output) + sizeOf(taken.value)).toBeLessThanOrEqual(2_000);
  });

  test('says so where the whole is too large to keep', () => {
    const output = new OutputCollector({ maxBytes: 1_024, keep: () => undefined });
    const taken = output.take({ last: true, value: 'x'.repeat(5_000) });
    expect(taken).toMatchObject({ truncated: true });
    expect(taken.ref).toBeUndefined();
    expect(taken.output).toMatchObject([{ type: 'note', text: expect.stringContaining('too large to keep') }]);
  });

  test('one budget covers all legs, and a leg leaves something for the ones after it', () => {
    const { output } = collector(4_000);
    let shown = 0;
    for (let leg = 0; leg < 6; leg++) {
      output.add(text('x'.repeat(10_000)));
      const taken = output.take(leg < 5 ? { last: false } : { last: true, value: 'y'.repeat(10_000) });
      shown += sizeOf(taken.output) + (taken.value === undefined ? 0 : sizeOf(taken.value));
      expect(taken.output.length).toBeGreaterThan(0);
    }
    expect(shown).toBeLessThanOrEqual(4_000);
  });

  test('more items than cutting can make fit are an overflow: the first ones are shown, and a note says that there was more', () => {
    const { output } = collector(2_000);
    for (let at = 0; at < 100; at++) output.add(text(`line ${at}`));
    expect(output.overflow).toBe(true);
    const taken = output.take({ last: true });
    expect(taken.overflow).toBe(true);
    expect(taken.output[0]).toEqual(text('line 0'));
    expect(taken.output.at(-1)).toEqual({ type: 'note', text: 'further output was dropped' });
    expect(sizeOf(taken.output)).toBeLessThanOrEqual(2_000);
  });

  test('many items that fit are no overflow', () => {
    const { output } = collector(65_536);
    for (let at = 0; at < 300; at++) output.add(text(`line ${at} ${'x'.repeat(100)}`));
    expect(output.overflow).toBe(false);
    expect(output.take({ last: true }).output).toHaveLength(300);
  });
});
