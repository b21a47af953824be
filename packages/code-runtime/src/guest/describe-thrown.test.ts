import { describe, expect, test } from 'vitest';
import { describeThrown } from './describe-thrown.ts';

const options = {
  labelOf: (value: object) => (value === proxy ? '[Proxy]' : undefined),
  framesOf: () => '    at f (program.js:1:2)',
};
const proxy = new Proxy(
  {},
  {
    get() {
      throw new Error('a trap ran');
    },
  },
);
const described = (thrown: unknown) => describeThrown(thrown, options);

describe('a thrown value', () => {
  test.each([
    ['text', 'text'],
    [7, '7'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Symbol('s'), 'Symbol(s)'],
    [proxy, '[Proxy]'],
  ])('that is no object shows as it would be printed', (thrown, message) => {
    expect(described(thrown)).toEqual({ message });
  });

  test('shows its strings, and no frame but those of the program', () => {
    const error = new RangeError('far');
    error.stack = `RangeError: see program.js:9:9
    at inner (program.js:3:4)
    at host (/runtime/bridge.ts:1:1)
    at around (program.js:-1:2)
    at program.js:5:6`;
    expect(described(error)).toEqual({
      name: 'RangeError',
      message: 'far',
      stack: '    at inner (program.js:3:4)\n    at program.js:5:6',
    });
  });

  test('has the frames that the engine keeps where it holds none', () => {
    expect(described({ name: 'E', message: 'm' })).toEqual({ name: 'E', message: 'm', stack: options.framesOf() });
    expect(described({ name: 'E', message: 'm', stack: 'none of the program' })).toEqual({ name: 'E', message: 'm' });
  });

  test('runs no getter', () => {
    const run = () => {
      throw new Error('a getter ran');
    };
    const thrown = Object.create(null, { message: { get: run }, name: { get: run }, stack: { get: run } });
    expect(described(thrown).name).toBeUndefined();
    expect(described(thrown).message).not.toContain('a getter ran');
  });

  test('is cut to a bound', () => {
    const long = 'x'.repeat(1_000_000);
    const { name, message, stack } = described({
      name: long,
      message: long,
      stack: '    at f (program.js:1:1)\n'.repeat(10_000),
    });
    expect([name!.length, message.length, stack!.length]).toEqual([207, 64_007, 16_007]);
  });
});
