// The published DeepSeek Harness tools, in mode `code`, over our runtime: the provider is a drop-in for its own.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import quickJsRuntime from './index.ts';

/** Without their types: these declare a global that ours, of another version, declares too. */
const load = (name: string) => import(/* @vite-ignore */ name) as Promise<Record<string, never>>;
const { Context } = (await load('@deepseek-ai/cordis')) as unknown as { Context: new () => HarnessContext };
const { default: SystemPrompt } = await load('@deepseek-ai/dsh-system-prompt');
const { default: ToolRuntime, defineTool } = (await load('@deepseek-ai/dsh-tools')) as unknown as {
  default: unknown;
  defineTool(definition: unknown): unknown;
};

interface HarnessContext {
  get(name: string): unknown;
  plugin(plugin: unknown, config?: unknown): PromiseLike<{ dispose(): Promise<void> }>;
}

interface HarnessTools {
  register(definition: unknown): void;
  execute(
    execution: unknown,
  ): Promise<{ isError: boolean; message?: string; value?: unknown; content: { text?: string }[] }>;
}

const said = { type: 'object', additionalProperties: false, properties: { said: { type: 'string', required: true } } };

function tool(name: string, execute: (args: { text: string }) => Promise<unknown>): unknown {
  return defineTool({
    name,
    description: name,
    parameters: { text: { type: 'string', required: true } },
    output: { schema: said, render: (_args: unknown, value: { said: string }) => [{ type: 'text', text: value.said }] },
    execute,
  });
}

describe('DeepSeek Harness in mode code', () => {
  let ctx: HarnessContext;
  let runtimeFiber: { dispose(): Promise<void> };
  const get = (name: string) => ctx.get(name);

  beforeEach(async () => {
    ctx = new Context();
    const plugin = (plugin: unknown, config?: unknown) => ctx.plugin(plugin, config);
    await plugin(SystemPrompt, {});
    runtimeFiber = await plugin(quickJsRuntime, { workers: 1 });
    await plugin(ToolRuntime, { mode: 'code' });
    await plugin({
      name: 'user-tools',
      inject: ['tools'],
      apply(inner: { tools: HarnessTools }) {
        inner.tools.register(tool('echo', async ({ text }) => ({ said: text.toUpperCase() })));
        inner.tools.register(tool('fail', () => Promise.reject(new Error('the tool says no'))));
      },
    });
  });

  afterEach(() => runtimeFiber.dispose());

  async function runCode(code: string) {
    const args = { code, description: 'Try the runtime' };
    const execution = { callId: 'call', name: 'run_code', args, arguments: args, signal: new AbortController().signal };
    return (get('tools') as HarnessTools).execute(execution);
  }

  test('runs a TypeScript program that calls tools and gives its logs and value', async () => {
    const result = await runCode(`
      interface Said { said: string }
      const all: Said[] = await Promise.all(['a', 'b'].map((text) => tools.echo({ text })));
      console.log('said', all.length);
      return all.map((it: Said) => it.said);`);
    expect(result.isError).toBe(false);
    expect(result.value).toEqual({ logs: ['said 2'], result: ['A', 'B'] });
  });

  test('lets the program catch a failed tool as its ToolCallError', async () => {
    const result = await runCode(`
      try { await tools.fail({ text: 'x' }); }
      catch (error) { return [error instanceof ToolCallError, error.name, error.toolName, error.message.includes('the tool says no')]; }`);
    expect(result.value).toMatchObject({ result: [true, 'ToolCallError', 'fail', true] });
  });

  test('reports a failed program with its kind and what it had printed', async () => {
    const result = await runCode('console.log("before"); throw new Error("broken");');
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).toContain('code run failed (exception): broken');
    expect(JSON.stringify(result)).toContain('before');
  });

  test('has no runtime once its fiber is gone', async () => {
    await runtimeFiber.dispose();
    expect(get('codeRuntime')).toBeUndefined();
    expect((await runCode('return 1;')).isError).toBe(true);
  });
});
