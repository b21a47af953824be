import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { turnMessage } from './messages.ts';
import { parseOutputItem, readMessage } from './read-message.ts';

describe('a message of a worker', () => {
  test('is rebuilt field by field', () => {
    const turn = {
      computeMs: 2,
      heapBytes: 10,
      calls: [{ seq: 1, namespace: 0, path: '["a"]', args: '[]' }],
      rest: {
        timers: [{ seq: 2, delay: 5 }],
        cleared: [1],
        controls: [{ seq: 3, name: 'n', payload: 'null' }],
        end: { value: '1' },
      },
    };
    expect(readMessage(turnMessage(7, turn))).toEqual({ kind: 'turn', run: 7, turn });
    const forged = {
      ...turn.rest,
      extra: 1,
      end: { failure: { kind: 'exception', message: 'm', constructor: 1, line: '3' } },
    };
    expect(readMessage(['turn', 7, Number.NaN, -5, JSON.stringify(forged)])).toEqual({
      kind: 'turn',
      run: 7,
      turn: {
        computeMs: 0,
        heapBytes: 0,
        calls: [],
        rest: { ...turn.rest, end: { failure: { kind: 'exception', message: 'm' } } },
      },
    });
  });

  test.each([
    null,
    'turn',
    [],
    ['turn'],
    ['turn', 1.5, 0, 0, ''],
    ['turn', 1, 0, 0, '{'],
    ['turn', 1, 0, 0, '[]'],
    ['turn', 1, 0, 0, '', 1],
    ['turn', 1, 0, 0, '', -1, 0, '["a"]', '[]'],
    ['turn', 1, 0, 0, '', 1, 0, {}, '[]'],
    ['turn', 1, 0, 0, '{"timers":[],"cleared":[],"controls":[],"end":{"failure":{"kind":"other","message":"m"}}}'],
    ['turn', 1, 0, 0, '{"timers":[],"cleared":[],"controls":[],"end":{"value":1}}'],
    ['output', 1, 5],
    ['parked', 1, 'image', 'hash'],
    ['parked', 1, new Uint8Array(1)],
    ['misuse', 1],
    ['other', 1, 'x'],
  ])('that is none is dropped: %j', (message) => {
    expect(readMessage(message)).toBeUndefined();
  });

  test('of any shape never throws', () => {
    const anything = fc.anything();
    fc.assert(
      fc.property(fc.constantFrom('turn', 'output', 'parked', 'misuse'), fc.array(anything), (tag, rest) => {
        readMessage([tag, 1, ...rest]);
      }),
    );
    fc.assert(fc.property(fc.json(), (text) => void readMessage(['turn', 1, 0, 0, text])));
    fc.assert(fc.property(fc.json(), (text) => void parseOutputItem(text)));
  });
});

describe('an output item', () => {
  test('has exactly the fields of its type', () => {
    expect(parseOutputItem('{"type":"log","level":"warn","text":"t","more":1}')).toEqual({
      type: 'log',
      level: 'warn',
      text: 't',
    });
    expect(parseOutputItem('{"type":"json","value":null,"text":"t"}')).toEqual({ type: 'json', value: null });
    expect(parseOutputItem('{"type":"log","level":"fatal","text":"t"}')).toBeUndefined();
    expect(parseOutputItem('{"type":"text"}')).toBeUndefined();
    expect(parseOutputItem('{"type":"json"}')).toBeUndefined();
    expect(parseOutputItem('nonsense')).toBeUndefined();
  });
});
