import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { codeBlocks } from './read-docs.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), '.docs-registry');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the agent of docs/registry.md prints what the page says', async () => {
  const blocks = codeBlocks('docs/registry.md');
  const program = blocks.find((block) => block.text.startsWith('// file: agent.ts'))!;
  const promised = blocks.find((block) => block.language === 'text')!;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'agent.ts');
  writeFileSync(file, program.text);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import(/* @vite-ignore */ file);
    const printed = log.mock.calls.map((args) => format(...args)).join('\n');
    expect(`${printed}\n`).toBe(promised.text);
  } finally {
    log.mockRestore();
  }
}, 60_000);
