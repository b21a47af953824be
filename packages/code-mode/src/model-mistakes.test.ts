import { readFileSync } from 'node:fs';
import { createToolRegistry } from '@codeseam/tools';
import { beforeAll, expect, test } from 'vitest';
import { createCodeMode } from './create-code-mode.ts';
import { registerEverydayTools } from './testing/everyday-tools.ts';
import { sharedRuntime } from './testing/harness.ts';
import type { CodeMode } from './types.ts';

/** What models send that is not quite right, and what they must get: the thing they meant, or what to do. */
interface Mistake {
  id: string;
  code?: string;
  /** Where it is not a program: which tool, and its arguments. */
  tool?: 'exec' | 'wait';
  input?: object;
  expect: {
    status: 'completed' | 'failed';
    code?: string;
    value?: unknown;
    valueContains?: string;
    truncated?: boolean;
    /** Parts of the text. */
    error?: string[];
    hint?: string[];
    /** Where the failure points to. */
    line?: number;
    column?: number;
    output?: string[];
    /** Tools in the ledger. */
    calls?: string[];
  };
}

const mistakes = JSON.parse(
  readFileSync(new URL('./fixtures/model-mistakes.json', import.meta.url), 'utf8'),
) as Mistake[];

let codeMode: CodeMode;
beforeAll(async () => {
  const runtime = await sharedRuntime();
  const tools = createToolRegistry({}, { runtime: () => runtime });
  registerEverydayTools(tools);
  codeMode = createCodeMode({ tools, runtime, config: { timeoutMs: 5_000 } });
  return async () => {
    await codeMode.dispose();
    await tools.dispose();
  };
});

test.each(mistakes.map((it) => [it.id, it] as const))('%s', async (id, { code, tool, input, expect: wanted }) => {
  const options = { scope: { sessionId: 's' }, callId: id };
  const result =
    tool === 'wait'
      ? await codeMode.wait(input as never, options)
      : await codeMode.exec((input ?? { code }) as never, options);
  expect(result).toMatchObject({
    status: wanted.status,
    ...(wanted.code === undefined ? {} : { code: wanted.code }),
    ...(wanted.truncated ? { truncated: true } : {}),
  });
  if (wanted.line !== undefined) expect(result).toMatchObject({ line: wanted.line, column: wanted.column });
  if ('value' in wanted) expect(result.status === 'completed' && result.value).toEqual(wanted.value);
  if (wanted.valueContains) expect(result.status === 'completed' && result.value).toContain(wanted.valueContains);
  const failed = result.status === 'failed' ? result : undefined;
  for (const part of wanted.error ?? []) expect(failed?.error).toContain(part);
  expect(failed?.error ?? '').not.toMatch(/"(\w+)" is not a known key[\s\S]*"\1" is no key/);
  for (const part of wanted.hint ?? []) expect(failed?.hint).toContain(part);
  for (const part of wanted.output ?? []) expect(JSON.stringify(result.output)).toContain(part);
  for (const name of wanted.calls ?? []) expect(JSON.stringify('calls' in result && result.calls)).toContain(name);
});

test.each(['sum', 'command', 'docs'])(
  'a variable %j that only is a part of tools’ names means none of them',
  async (name) => {
    const result = await codeMode.exec({ code: `return ${name}` }, { scope: { sessionId: 's' }, callId: name });
    expect(result).toMatchObject({ code: 'guest_error', error: expect.stringContaining(`${name} is not defined`) });
    expect(result).not.toHaveProperty('hint');
  },
);
