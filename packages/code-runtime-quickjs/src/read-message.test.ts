import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMessage } from './read-message.ts';
import { writeTurn } from './turn-text.ts';

describe('a message of a worker', () => {
  test('is rebuilt field by field', () => {
    const rest = {
      timers: [{ seq: 2, delay: 5 }],
      cleared: [1],
      controls: [{ seq: 3, name: 'n', payload: 'null' }],
      end: { value: '1' },
    };
    const calls = [
      { seq: 1, namespace: 0, path: '["a"]', args: '["\u00e4\\n\u{1f600}"]' },
      { seq: 2, namespace: 1, path: '["b","c"]', args: '[]' },
    ];
    const turn = { computeMs: 2.5, heapBytes: 10, calls, rest };
    const read = { ...rest, controls: [{ seq: 3, name: 'n', payload: null }], end: { value: 1 } };
    expect(readMessage(writeTurn(7, turn))).toEqual({ kind: 'turn', run: 7, turn: { ...turn, rest: read } });
    const forged = {
      ...rest,
      extra: 1,
      end: { failure: { kind: 'exception', message: 'm', constructor: 1, line: '3' } },
    };
    const forgedText = JSON.stringify(forged);
    expect(readMessage(`7 NaN -5 ${forgedText.length}\n${forgedText}`)).toEqual({
      kind: 'turn',
      run: 7,
      turn: {
        computeMs: 0,
        heapBytes: 0,
        calls: [],
        rest: { ...read, end: { failure: { kind: 'exception', message: 'm' } } },
      },
    });
    expect(readMessage(['output', 1, '{}', '[]'])).toEqual({ kind: 'output', run: 1, items: ['{}', '[]'] });
    expect(readMessage(['misuse', 1, 'why'])).toEqual({ kind: 'misuse', run: 1, message: 'why' });
  });

  const odd = (rest: string) => `1 0 0 ${rest.length}\n${rest}`;
  test.each([
    null,
    '',
    'turn',
    '1 0 0 0',
    '1.5 0 0 0\n',
    '-1 0 0 0\n',
    '1 0 0\n',
    '1 0 0 1\n',
    '1 0 0 0\nmore',
    '1 0 0 -1\n',
    odd('{'),
    odd('[]'),
    '1 0 0 0 1\n',
    '1 0 0 0 -1 0 5 2\n["a"][]',
    '1 0 0 0 1 0 5 3\n["a"][]',
    '1 0 0 0 1 0 9 -2\n["a"][]',
    odd('{"timers":[],"cleared":[],"controls":[],"end":{"failure":{"kind":"other","message":"m"}}}'),
    odd('{"timers":[],"cleared":[],"controls":[],"end":{"value":1}}'),
    [],
    ['turn', 1, 0, 0, ''],
    ['output', 1, 5],
    ['parked', 1, 'image', 'hash'],
    ['parked', 1, new Uint8Array(1)],
    ['parked', 1, new Uint8Array(new SharedArrayBuffer(4)), 'hash'],
    ['parked', 1, new Uint8Array(8).subarray(4), 'hash'],
    odd('{"timers":[],"cleared":[],"controls":[],"end":{"value":"{"}}'),
    odd('{"timers":[],"cleared":[],"controls":[],"end":{"value":"[1e999]"}}'),
    odd('{"timers":[],"cleared":[],"controls":[{"seq":1,"name":"n","payload":"nonsense"}]}'),
    ['misuse', 1],
    ['other', 1, 'x'],
  ])('that is none is dropped: %j', (message) => {
    expect(readMessage(message)).toBeUndefined();
  });

  test('that claims billions of items is dropped, not looked through', () => {
    const sparse: unknown[] = ['output', 1];
    sparse.length = 2 ** 32 - 1;
    expect(readMessage(sparse)).toBeUndefined();
  });

  test('of any shape never throws', () => {
    const anything = fc.anything();
    fc.assert(
      fc.property(fc.constantFrom('turn', 'output', 'parked', 'misuse'), fc.array(anything), (tag, rest) => {
        readMessage([tag, 1, ...rest]);
      }),
    );
    fc.assert(fc.property(fc.json(), (text) => void readMessage(odd(text))));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(9), fc.double())), fc.string(), (numbers, texts) => {
        readMessage(`${numbers.join(' ')}\n${texts}`);
      }),
    );
  });
});
