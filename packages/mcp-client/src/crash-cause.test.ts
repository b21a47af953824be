import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { crashCause, oneLine } from './crash-cause.ts';

// What Node 20, Python 3, npm, sh and real servers printed on stderr when they ended; paths shortened.
const rows: { name: string; lines: string[]; cause: string | null }[] = JSON.parse(
  readFileSync(new URL('./fixtures/crash-outputs.json', import.meta.url), 'utf8'),
);

describe('of the last lines of a process that ended, the one that says why', () => {
  test.each(rows)('$name', ({ lines, cause }) => {
    expect(crashCause(lines) ?? null).toBe(cause);
  });
});

test('one line is short, without colours, breaks and control characters', () => {
  expect(oneLine('\u001b[31ma\u001b[0m\r\nb\u0007\tc ')).toBe('a b c');
  expect(oneLine('x'.repeat(5_000))).toHaveLength(300);
});
