// `codeseam call`: one tool call through the same pipeline as any other.
import { randomUUID } from 'node:crypto';
import type { ToolCallOutcome } from '@codeseam/tools';
import type { RunCommand } from '../command-line.ts';
import { CliError, EXIT, messageOf } from '../errors.ts';
import { type CliIo, isLively, painter, readStdin, say, writeJson } from '../io.ts';
import { CLI_SCOPE, withHost } from '../open-host.ts';

export const run: RunCommand = async (args, io) => {
  const input = await readInput(args.text('input'), io);
  return await withHost(io, { config: args.text('config'), askOnTerminal: true }, async (host) => {
    const tools = host.tools();
    // A person calls by hand whatever mode the model is in; policy sees the same call.
    const undo = tools.presentAs('native', { when: (scope) => scope['directCall'] === true });
    const outcome = await tools.execute({
      callId: `cli-${randomUUID()}`,
      id: args.positionals[0]!,
      arguments: input,
      scope: { ...CLI_SCOPE, directCall: true },
      signal: io.interrupt,
    });
    undo();
    if (io.interrupt.aborted) return EXIT.interrupted;
    return show(outcome, args.has('json'), io);
  });
};

async function readInput(given: string | undefined, io: CliIo): Promise<unknown> {
  if (given === undefined) return {};
  const text = given === '-' ? await readStdin(io) : given;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError('USAGE', `--input is not JSON: ${messageOf(error)}`, `--input '{"a":1}'`);
  }
}

function show(outcome: ToolCallOutcome, asJson: boolean, io: CliIo): number {
  const { isError, code, message, hint, value, content } = outcome;
  if (asJson) {
    writeJson(io, {
      id: outcome.toolId,
      isError,
      code,
      message,
      hint,
      value,
      content,
      ms: Math.round(outcome.durationMs),
    });
  } else if (isError && value === undefined) {
    const paint = painter(isLively(io));
    say(io, `${paint(`${code ?? 'TOOL_FAILED'}:`, 'red')} ${message ?? 'the tool failed'}`);
    if (hint) say(io, `${paint('hint:', 'dim')} ${hint}`);
  } else {
    io.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)}\n`);
  }
  return isError ? EXIT.programFailed : EXIT.ok;
}
