import { describe, expect, test } from 'vitest';
import { maxLimitsOf, resolveLimits } from './resolve-limits.ts';

const TABLE = {
  computeMs: { default: 100, min: 1, max: 1000 },
  wallMs: { min: 1, max: 5000 },
  maxOutputBytes: { default: 50, min: 4, max: 64 },
};

describe('limits of a run', () => {
  test('are the defaults, or what the request asks for', () => {
    expect(resolveLimits(undefined, TABLE)).toEqual({ computeMs: 100, maxOutputBytes: 50 });
    expect(resolveLimits({ computeMs: 1000, wallMs: 7, maxOutputBytes: undefined } as never, TABLE)).toEqual({
      computeMs: 1000,
      wallMs: 7,
      maxOutputBytes: 50,
    });
  });

  test('leave out a limit that the provider does not have, once it is sound', () => {
    expect(resolveLimits({ maxCallBytes: 5 }, TABLE)).toEqual({ computeMs: 100, maxOutputBytes: 50 });
    expect(() => resolveLimits({ maxCallBytes: -5 }, TABLE)).toThrow('limits.maxCallBytes is -5');
  });

  test('name limit, value and range when they are refused', () => {
    expect(() => resolveLimits({ computeMs: 1001 }, TABLE)).toThrow(
      'limits.computeMs is 1001; it must be an integer from 1 to 1000',
    );
    for (const bad of [0, 1.5, Number.NaN, Infinity, '5', null, {}, 5n]) {
      expect(() => resolveLimits({ computeMs: bad as never }, TABLE)).toThrow(
        /^limits\.computeMs is .+; it must be an integer from 1 to 1000$/,
      );
    }
    expect(() => resolveLimits({ computeMS: 5 } as never, TABLE)).toThrow(
      'limits.computeMS is not a limit; did you mean computeMs?',
    );
    expect(() => resolveLimits(null as never, TABLE)).toThrow('limits must be an object of numbers');
  });

  test('are shown by their maxima', () => {
    expect(maxLimitsOf(TABLE)).toEqual({ computeMs: 1000, wallMs: 5000, maxOutputBytes: 64 });
  });
});
