// Run by check-consumer in a project that has installed the packed packages: code mode over one tool.
import { createCodeMode } from '@codeseam/code-mode';
import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import { createToolRegistry, defineTool } from '@codeseam/tools';

const runtime = await createQuickJsRuntime();
const tools = createToolRegistry({}, { runtime: () => runtime });
tools.register(
  defineTool({
    name: 'length',
    description: 'The length of a word.',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    execute: ({ word }) => word.length,
  }),
);
const codeMode = createCodeMode({ tools, runtime });
const code = "return await Promise.all(['nut', 'bolt'].map((word) => tools.length({ word })))";
const { status, value } = await codeMode.exec({ code }, { scope: {}, callId: 'call-1' });
process.stdout.write(`${JSON.stringify({ status, value })}\n`);
await codeMode.dispose();
await runtime.dispose();
