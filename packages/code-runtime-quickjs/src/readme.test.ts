// The README's example runs as it stands there.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createQuickJsRuntime } from './index.ts';
import { LIMITS } from './limits.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the example of the README gives what it says', async () => {
  const [, block] = /```ts\n([\s\S]*?)```/.exec(readme)!;
  const code = block!.replace(/^import .*$/gm, '');
  const lines: unknown[] = [];
  const body = `return (async () => { ${code} })();`;
  await new Function('createQuickJsRuntime', 'console', body)(createQuickJsRuntime, {
    log: (...args: unknown[]) => lines.push(args),
  });
  expect(lines).toEqual([[3, ['adding']]]);
});

test('the config table of the README has every limit with its default and maximum', () => {
  const digits = (value: number) => value.toLocaleString('en-US');
  for (const [name, range] of Object.entries(LIMITS)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    expect(row, name).toBeDefined();
    if ('default' in range) expect(row).toContain(digits(range.default));
    expect(row).toContain(digits(range.max));
  }
});
