import { expect, test } from 'vitest';
import { readConfig } from './config-schema.ts';

const problemOf = (given: unknown): string => {
  try {
    readConfig(given);
  } catch (error) {
    expect(error).toMatchObject({ name: 'CodeModeError', code: 'invalid_config' });
    return (error as Error).message;
  }
  return 'none';
};

test('fills every field with its default', () => {
  expect(readConfig({ enabled: true }).settingsFor(undefined)).toEqual({
    runtime: undefined,
    languages: ['javascript', 'typescript'],
    timeoutMs: 10_000,
    memoryLimitBytes: 67_108_864,
    maxOutputBytes: 65_536,
    maxSnapshotBytes: 10_485_760,
    maxPendingToolCalls: 16,
    snapshotTtlSeconds: 900,
    approvalTtlSeconds: 604_800,
    searchDefaultLimit: 8,
    maxSearchLimit: 50,
    maxSuspendedRuns: 1_024,
    indexMaxChars: 8_000,
    keptResultsBytes: 4_194_304,
    ownership: ['agentId', 'sessionId', 'agentRunId'],
  });
});

test('true is short for enabled, false and absent are off, and other fields never switch it on', () => {
  expect(readConfig(true).config.enabled).toBe(true);
  expect(readConfig(false).config.enabled).toBeUndefined();
  expect(readConfig(undefined).config.enabled).toBeUndefined();
  expect(readConfig({ timeoutMs: 500 }).config.enabled).toBeUndefined();
});

test.each([
  [{ timeoutMs: 99 }, 'timeoutMs: expected a whole number from 100 to 60000, got 99'],
  [{ timeoutMs: 60_001 }, 'timeoutMs: expected a whole number from 100 to 60000, got 60001'],
  [{ timeoutMs: '500' }, 'timeoutMs: expected a whole number from 100 to 60000, got "500"'],
  [{ memoryLimitBytes: 1_048_575 }, 'memoryLimitBytes: expected a whole number from 1048576 to 1073741824'],
  [{ maxPendingToolCalls: 129 }, 'maxPendingToolCalls: expected a whole number from 1 to 128, got 129'],
  [
    { maxSearchLimit: 5, searchDefaultLimit: 6 },
    'searchDefaultLimit: expected a whole number from 1 to maxSearchLimit (5), got 6',
  ],
  [{ languages: [] }, 'languages: expected at least one of javascript, typescript, got none'],
  [{ languages: ['python'] }, 'languages[0]'],
  [{ mode: 'all' }, 'mode'],
  [{ check: 'report' }, 'check: expected "off": programs cannot be checked against the declarations of the tools yet'],
  [{ check: 'enforce' }, 'cannot be checked against the declarations of the tools yet, got "enforce"'],
  [{ check: 'of' }, 'check: expected'],
  [{ agents: { a: { check: 'enforce' } } }, 'agents.a.check: expected "off"'],
  [{ timeoutMS: 500 }, 'timeoutMS: unknown key, did you mean timeoutMs?'],
  [{ agents: { a: { timeoutMs: 5 } } }, 'agents.a.timeoutMs: expected a whole number from 100 to 60000, got 5'],
  [{ agents: { a: { enabled: true } } }, 'agents.a.enabled: unknown key'],
])('refuses %j, naming field, value and range', (given, problem) => {
  expect(problemOf(given)).toContain(problem);
});

test('check: off is the one that there is, and an absent one stays absent', () => {
  expect(readConfig({ check: 'off' }).config.check).toBe('off');
  expect(readConfig({}).config.check).toBeUndefined();
});

test('the default limit of a search follows a lower maximum', () => {
  expect(readConfig({ maxSearchLimit: 3 }).settingsFor(undefined).searchDefaultLimit).toBe(3);
});

test('an agent has its own fields, merged over the rest', () => {
  const read = readConfig({ timeoutMs: 500, indexMaxChars: 10, agents: { scout: { timeoutMs: 900 } } });
  expect(read.settingsFor('scout')).toMatchObject({ timeoutMs: 900, indexMaxChars: 10 });
  expect(read.settingsFor('other')).toMatchObject({ timeoutMs: 500, indexMaxChars: 10 });
});
