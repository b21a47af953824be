// The single-shot transport: one tool, `run_code`, whose programs call every visible tool.
import { unwrapCell } from '@codeseam/cell';
import type { CodeLanguage, CodeRuntime } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import { ToolCallError } from '../errors.ts';
import { thrownMessage } from '../read-thrown.ts';
import { toolResult } from '../tool-result.ts';
import type {
  OpenProgramOptions,
  PromptSection,
  Tool,
  ToolDefinition,
  ToolProgram,
  ToolRunContext,
  ToolTransport,
  ToolView,
} from '../types.ts';
import {
  isNotPlain,
  ledgerJson,
  type ReadRun,
  RUN_CODE_OUTPUT,
  type RunCodeValue,
  readRun,
  renderRunCode,
  runFailed,
} from './run-code-result.ts';
import { pythonSdk } from './sdk-python.ts';
import type { SdkRenderer } from './sdk-renderer.ts';
import { typescriptSdk } from './sdk-typescript.ts';

const RENDERERS: Readonly<Record<string, SdkRenderer>> = {
  typescript: typescriptSdk,
  javascript: typescriptSdk,
  python: pythonSdk,
};

/** How long calls that a program left behind may take to end, where the runtime itself did not wait for them. */
const ABORT_GRACE_MS = 250;
/** SDK texts kept, by set of tools and language. */
const KEPT_TEXTS = 16;

export interface RunCodeServices {
  runtime(): CodeRuntime | undefined;
  maxParallelSubCalls: number;
  view(context: ToolRunContext): ToolView;
  openProgram(options: OpenProgramOptions): ToolProgram;
}

/** Creates the `run_code` transport of a registry. */
export function createRunCodeTransport(services: RunCodeServices): ToolTransport {
  const definitions = new Map<string, ToolDefinition>();
  const texts = new Map<string, string>();
  const language = () => services.runtime()?.language;
  const renderer = () => RENDERERS[language() ?? ''];

  const sdkText = (view: ToolView, sdk: SdkRenderer): string => {
    const key = `${sdk.languageName} ${view.fingerprint}`;
    const text = texts.get(key) ?? sdk.declarations(view.tools.filter((tool) => !tool.directOnly));
    texts.delete(key);
    texts.set(key, text);
    if (texts.size > KEPT_TEXTS) texts.delete(texts.keys().next().value!);
    return text;
  };

  return {
    name: 'run_code',
    problem() {
      const runtime = services.runtime();
      if (!runtime)
        return 'transport "run_code" needs a code runtime, and none is mounted (for one, @codeseam/code-runtime-quickjs)';
      if (renderer()) return undefined;
      return `transport "run_code" has no SDK for the language of the mounted runtime (${JSON.stringify(runtime.language)}); it has typescript, javascript, python`;
    },
    controlTools() {
      const now = language() ?? 'typescript';
      const definition = definitions.get(now) ?? runCodeTool(now, services);
      definitions.set(now, definition);
      return [definition];
    },
    sections(view, mode) {
      const sdk = renderer() ?? typescriptSdk;
      const sections: PromptSection[] = [
        {
          id: 'tools:sdk',
          order: 150,
          render: () => `${sdk.instructions(services)}\n\nThe tools:\n\n${sdkText(view, sdk)}`,
        },
      ];
      if (mode === 'code') sections.unshift({ id: 'tools:run-code-only', order: 90, render: () => onlyRule(view) });
      return sections;
    },
    describeCall: () => ({ toolKind: 'run_code', toolInputKind: language() ?? 'typescript' }),
    example: (tool: Tool, argumentsText: string) => (renderer() ?? typescriptSdk).example(tool, argumentsText),
  };
}

function onlyRule(view: ToolView): string {
  const direct = view.tools.filter((tool) => tool.directOnly && !tool.hidden).map((tool) => `\`${tool.wireName}\``);
  const others = direct.length === 0 ? '' : `, and ${direct.join(', ')}, which no program can call`;
  return `Call only \`run_code\`${others}. Every other tool named in this conversation is called inside a \`run_code\` program, as \`tools.<name>\`.`;
}

function runCodeTool(
  language: string,
  services: RunCodeServices,
): ToolDefinition<{ code: string; description: string }, RunCodeValue> {
  const { languageName } = RENDERERS[language] ?? typescriptSdk;
  return Object.freeze({
    name: 'run_code',
    description: `Takes \`code\`, the body of an async ${languageName} function, and \`description\`, a few words on what it does. Runs the program, which calls tools as \`tools.<name>(args)\`; only what it returns or prints comes back.`,
    parameters: {
      type: 'object',
      properties: {
        code: { type: 'string', description: `The program: the body of an async ${languageName} function.` },
        description: {
          type: 'string',
          description: 'What the program does, in a few words for people.',
          default: 'Run a program',
        },
      },
      required: ['code'],
      additionalProperties: false,
    },
    output: { schema: RUN_CODE_OUTPUT, render: renderRunCode },
    control: true,
    execute: ({ code }: { code: string }, context: ToolRunContext) => runProgram(code, context, services),
    presentCall: ({ code, description }: { code: string; description?: string }) => ({
      title: description ?? 'Run a program',
      kind: 'execute',
      input: { language, text: code },
    }),
  });
}

async function runProgram(code: string, context: ToolRunContext, services: RunCodeServices) {
  const runtime = services.runtime();
  if (!runtime) throw new ToolCallError('CODE_RUN_FAILED', 'code run failed (unavailable): no code runtime is mounted');
  const source = programOf(code, runtime.language);
  const calls = new AbortController();
  const program = services.openProgram({
    view: services.view(context),
    parent: { callId: context.callId, rootCallId: context.rootCallId },
    signal: calls.signal,
    dispatch: 'ordered',
    maxInFlight: services.maxParallelSubCalls,
    onUpdate: (callId, partial) => context.update({ callId, partial }),
  });
  let run: ReadRun;
  try {
    run = readRun(await runtime.run({ program: source, bindings: [program.bindings()], signal: context.signal }));
  } catch (error) {
    run = { logs: [], failure: { kind: 'internal', message: `the runtime failed: ${thrownMessage(error)}` } };
  }
  await endCalls(program, calls);
  for (const entry of program.takeContexts()) context.deferContext(entry);
  const { ledger } = program;
  const { failure, logs, value } = run;
  if (failure) throw runFailed({ ...run, failure }, ledger, failure.kind === 'abort' && context.signal.aborted);
  return toolResult({
    value: { logs, ...(value === undefined ? {} : { result: value }) } satisfies { logs: string[]; result?: JsonValue },
    ...(isNotPlain(ledger) ? { meta: { calls: ledgerJson(ledger) } } : {}),
  });
}

/** What the model meant: fences, prose around them and lone functions are taken off; Python is sent as it is. */
function programOf(code: string, language: CodeLanguage): string {
  if (language === 'python') return code;
  const { program, shell } = unwrapCell(code);
  if (shell === undefined) return program;
  throw new ToolCallError(
    'CODE_RUN_FAILED',
    `code run failed (syntax): this is a shell command (${JSON.stringify(shell)}), and run_code runs ${RENDERERS[language]!.languageName}`,
    {
      hint: 'call the tools of the SDK section: await tools.<name>({ … })',
    },
  );
}

/** Our runtimes end a program's calls themselves; another's may leave some open. */
async function endCalls(program: ToolProgram, calls: AbortController): Promise<void> {
  if (program.pending().length > 0) {
    calls.abort('the program has ended');
    const deadline = performance.now() + ABORT_GRACE_MS;
    while (program.pending().length > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }
  program.abandon('the program has ended');
}
