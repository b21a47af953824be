import { describe, expect, test } from 'vitest';
import { busyFailure, programFailure, readSeenFailure } from './program-failure.ts';

describe('what a thread claims to have seen', () => {
  test('is rebuilt field by field', () => {
    const seen = { kind: 'syntax', message: '', name: 'N', stack: 's', line: 1, column: 2, hint: 'h', callSeq: 0 };
    expect(readSeenFailure({ ...seen, callId: 'forged', more: 1 })).toEqual(seen);
    expect(
      readSeenFailure({
        kind: 'timeout',
        message: 'm',
        name: 5,
        stack: {},
        line: 1,
        column: -1,
        hint: 1,
        callSeq: 1.5,
      }),
    ).toEqual({ kind: 'timeout', message: 'm' });
  });

  test.each([
    null,
    'exception',
    [],
    {},
    { kind: 'exception' },
    { kind: 'exception', message: 1 },
    { kind: 'constructor', message: 'm' },
  ])('is not %j', (value) => {
    expect(readSeenFailure(value)).toBeUndefined();
  });
});

describe('the failure of a program', () => {
  test('keeps what its thread saw, and names the call by its public id', () => {
    const seen = { kind: 'exception', message: 'no', name: 'E', line: 1, column: 2 } as const;
    expect(programFailure({ ...seen, hint: 'do', callSeq: 3 })).toEqual({ ...seen, hint: 'do', callId: 'call-3' });
    expect(programFailure(seen)).toEqual(seen);
  });

  test('that was refused before it ran is a SyntaxError', () => {
    for (const kind of ['syntax', 'module-access'] as const)
      expect(programFailure({ kind, message: 'm' })).toEqual({ kind, message: 'm', name: 'SyntaxError' });
    expect(programFailure({ kind: 'unavailable', message: 'm' })).toEqual({ kind: 'unavailable', message: 'm' });
  });

  test('has the frames of the program alone, under its name and message, and the place of the first', () => {
    const stack = '    at f (program.js:3:4)\n  at host.js:1:1\n\tat program.js:5:6\n at program.js:-1:1';
    const seen = { kind: 'exception', message: 'no', name: 'E', stack } as const;
    expect(programFailure(seen)).toEqual({
      kind: 'exception',
      name: 'E',
      message: 'no',
      line: 3,
      column: 4,
      stack: 'E: no\n    at f (program.js:3:4)\n    at program.js:5:6',
    });
    expect(programFailure({ ...seen, line: 1, column: 2 })).toMatchObject({ line: 1, column: 2 });
    expect(programFailure({ ...seen, stack: 'no frame' })).toEqual({ kind: 'exception', name: 'E', message: 'no' });
    const deep = programFailure({ ...seen, stack: 'at program.js:1:1\n'.repeat(100) });
    expect(deep.stack!.split('\n')).toHaveLength(31);
  });

  test('always has a message', () => {
    expect(programFailure({ kind: 'exception', message: '', name: 'TypeError' }).message).toBe('TypeError');
    expect(programFailure({ kind: 'exception', message: '' }).message).toBe('the program failed without a message');
  });

  test('advises a loop where the recursion of the program was too deep, in the words of either engine', () => {
    const hint = (message: string, name = 'RangeError') => programFailure({ kind: 'exception', message, name }).hint;
    expect(hint('Maximum call stack size exceeded')).toBe('use a loop in place of deep recursion');
    expect(hint('call stack overflow')).toBe('use a loop in place of deep recursion');
    expect(hint('Invalid array length')).toBeUndefined();
    expect(hint('Maximum call stack size exceeded', 'Error')).toBeUndefined();
  });

  test('of one that was busy says for how long, and what to do', () => {
    expect(busyFailure(100)).toMatchObject({
      kind: 'timeout',
      message: "the program was busy for 100 ms (the runtime's computeMs)",
      hint: expect.stringContaining('split it into several'),
    });
  });
});
