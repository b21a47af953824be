// `codeseam call`: one tool call through the same pipeline as any other.
import { randomUUID } from 'node:crypto';
import type { Tool, ToolCallOutcome } from '@codeseam/tools';
import { CallTargets } from '../call-target.ts';
import type { RunCommand } from '../command-line.ts';
import { CliError, EXIT, messageOf } from '../errors.ts';
import { type CliIo, isLively, painter, readStdin, say, writeJson } from '../io.ts';
import { noTools } from '../no-tools.ts';
import { CLI_SCOPE, type Host, withHost } from '../open-host.ts';
import { describeInput, describeStrangeKeys } from '../strange-keys.ts';

export const run: RunCommand = async (args, io) => {
  const input = await readInput(args.text('input'), io);
  const ref = args.positionals[0]!;
  const options = { config: args.text('config'), askOnTerminal: true, check: (host: Host) => void host.tools() };
  return await withHost(io, options, async (host) => {
    const tools = host.tools();
    const view = tools.view(CLI_SCOPE);
    if (view.tools.length === 0) throw noTools(host);
    const targets = new CallTargets(view);
    const tool = targets.find(ref);
    if (tool === undefined) return show(unknownTool(ref, targets), args.has('json'), io);
    const outcome = await tools.execute({
      callId: `cli-${randomUUID()}`,
      id: tool.id,
      arguments: input,
      scope: CLI_SCOPE,
      signal: io.interrupt,
      // A person calls by hand whatever mode the model is in; policy sees the same call.
      asHost: true,
    });
    if (io.interrupt.aborted) return EXIT.interrupted;
    return show(withInputHint(outcome, input, tool), args.has('json'), io);
  });
};

async function readInput(given: string | undefined, io: CliIo): Promise<unknown> {
  if (given === undefined) return {};
  const text = given === '-' ? await readStdin(io) : given;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CliError('USAGE', `--input is not JSON: ${messageOf(error)}`, `--input '{"a":1}'`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw new CliError('USAGE', `--input must be one JSON object of arguments, got ${found}`, `--input '{"a":1}'`);
}

type Shown = Pick<ToolCallOutcome, 'toolId' | 'isError' | 'code' | 'message' | 'hint' | 'value'> & {
  content: ToolCallOutcome['content'];
  durationMs: number;
  /** Something odd about a call that was made. */
  note?: string;
};

function unknownTool(ref: string, targets: CallTargets): Shown {
  const near = targets.suggest(ref);
  return {
    isError: true,
    code: 'UNKNOWN_TOOL',
    message: `unknown tool ${JSON.stringify(ref)}${near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''}`,
    hint: 'codeseam search WORDS finds tools; codeseam inspect lists them',
    content: [],
    durationMs: 0,
  };
}

/** What a call takes, where that is what was wrong; keys that the tool does not know, in any case. */
function withInputHint(outcome: ToolCallOutcome, input: unknown, tool: Tool): Shown {
  const strange = describeStrangeKeys(input, tool);
  if (outcome.code !== 'INVALID_ARGS') return strange === undefined ? outcome : { ...outcome, note: strange };
  const parts = [strange ?? outcome.hint, `it takes ${describeInput(tool)}`];
  return { ...outcome, hint: parts.filter((part) => part !== undefined).join('; ') };
}

function show(outcome: Shown, asJson: boolean, io: CliIo): number {
  const { toolId, isError, code, message, hint, note, value, content } = outcome;
  const paint = painter(isLively(io));
  if (asJson) {
    const ms = Math.round(outcome.durationMs);
    writeJson(io, { id: toolId, isError, code, message, hint, note, value, content, ms });
  } else if (isError && value === undefined) {
    say(io, `${paint(`${code ?? 'TOOL_FAILED'}:`, 'red')} ${message ?? 'the tool failed'}`);
    if (hint) say(io, `${paint('hint:', 'dim')} ${hint}`);
  } else {
    io.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)}\n`);
  }
  if (note && !asJson) say(io, `${paint('note:', 'yellow')} ${note}`);
  return isError ? EXIT.programFailed : EXIT.ok;
}
