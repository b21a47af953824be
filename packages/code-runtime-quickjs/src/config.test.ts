import { ConfigError } from '@codeseam/strict-config';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { LIMITS } from './limits.ts';

describe('the config of the runtime', () => {
  test('has the documented defaults', () => {
    const { limits, workers, maxQueuedRuns } = readConfig(undefined);
    expect(limits).toEqual(LIMITS);
    expect(maxQueuedRuns).toBe(10_000);
    expect(workers).toBeGreaterThan(0);
  });

  test('takes a default alone, and a default with a lower maximum', () => {
    const { limits } = readConfig({ computeMs: 5000, maxCallBytes: { default: 10, max: 20 }, wallMs: { max: 1000 } });
    expect(limits.computeMs).toEqual({ default: 5000, min: 1, max: 600_000 });
    expect(limits.maxCallBytes).toEqual({ default: 10, min: 1, max: 20 });
    expect(limits.wallMs).toEqual({ min: 1, max: 1000 });
  });

  test('lowers a default to a maximum that lies below it', () => {
    expect(readConfig({ computeMs: { max: 100 } }).limits.computeMs).toEqual({ default: 100, min: 1, max: 100 });
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ computeMS: 1 }, /computeMS.*computeMs/],
    [{ computeMs: 0 }, /computeMs/],
    [{ computeMs: '5' }, /computeMs/],
    [{ computeMs: { default: 600_001 } }, /600001|600_001/],
    [{ computeMs: { max: 5, default: 6 } }, /computeMs\.default: 6 is above computeMs\.max \(5\)/],
    [{ computeMs: { maximum: 5 } }, /maximum/],
    [{ workers: 65 }, /workers.*65/],
    [{ maxQueuedRuns: -1 }, /maxQueuedRuns/],
    [{ memoryLimitBytes: 1000 }, /memoryLimitBytes.*1048576/],
  ])('refuses %j, naming field and value', (config, message) => {
    expect(() => readConfig(config)).toThrow(message);
    expect(() => readConfig(config)).toThrow(ConfigError);
  });
});
