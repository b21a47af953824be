import { createToolRegistry } from '@codeseam/tools';
import { expect, test } from 'vitest';
import { createCodeMode } from './create-code-mode.ts';
import { watchWire } from './debug-log.ts';
import { sharedRuntime, tool } from './testing/harness.ts';

async function linesOf(debug: string | undefined, mode: 'code' | 'native' = 'code'): Promise<string[]> {
  const runtime = await sharedRuntime();
  const tools = createToolRegistry({ mode }, { runtime: () => runtime });
  const codeMode = createCodeMode({ tools, runtime });
  tools.register(tool('mail', () => 1, { description: 'Needs api_key=sk-1234567890abcdef and "token": "abc".' }));
  tools.register(tool('photo', () => 1, { description: 'Authorization: Bearer xyz', directOnly: true }));
  const lines: string[] = [];
  const undo = watchWire(tools, { CODESEAM_DEBUG: debug }, (line) => lines.push(line));
  await tools.present(tools.view({}));
  undo();
  await tools.present(tools.view({}));
  await codeMode.dispose();
  await tools.dispose();
  return lines;
}

test('nothing is logged unless it is asked for', async () => {
  expect(await linesOf(undefined)).toEqual([]);
  expect(await linesOf('other,thing')).toEqual([]);
  expect(await linesOf('code-mode', 'native')).toEqual([]);
});

test('the names on the wire are exec, wait and direct-only tools', async () => {
  expect(await linesOf('other,code-mode')).toEqual(['code-mode: on the wire: exec, photo, wait']);
});

test('the payload is bounded and redacted, with a warning before', async () => {
  const [warning, names, payload] = await linesOf('code-mode payload');
  expect(warning).toContain('prompts and tool descriptions may show');
  expect(names).toContain('on the wire');
  expect(payload!.length).toBeLessThan(4_200);
  expect(payload).not.toMatch(/sk-1234567890abcdef|xyz/);
});
