import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseOutputItem } from './read-output-item.ts';

describe('an output item', () => {
  test('has exactly the fields of its type', () => {
    const item = (value: unknown) => parseOutputItem(JSON.stringify(value));
    expect(item({ type: 'log', level: 'warn', text: 't', more: 1 })).toEqual({ type: 'log', level: 'warn', text: 't' });
    expect(item({ type: 'note', level: 'warn', text: 't' })).toEqual({ type: 'note', text: 't' });
    expect(item({ type: 'text', text: '' })).toEqual({ type: 'text', text: '' });
    expect(item({ type: 'json', value: null, text: 't' })).toEqual({ type: 'json', value: null });
  });

  test.each([
    '{"type":"log","level":"fatal","text":"t"}',
    '{"type":"log","level":["log"],"text":"t"}',
    '{"type":"text"}',
    '{"type":"text","text":1}',
    '{"type":"json"}',
    '{"type":"image","text":"t"}',
    '["text"]',
    'null',
    'nonsense',
    '{"type":"json","value":1e999}',
  ])('is not %s', (text) => {
    expect(parseOutputItem(text)).toBeUndefined();
  });

  test('is read from any text without an error', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (text) => void parseOutputItem(text)));
  });
});
