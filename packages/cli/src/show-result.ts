// The result of a program, for a person: data on stdout, the rest on stderr.
import type { CodeModeOutput, CodeModeResult, FailedResult } from '@codeseam/code-mode';
import { EXIT } from './errors.ts';
import { type CliIo, isLively, painter, say } from './io.ts';

/** Prints output that has come; `text` and `json` are data, `log` and `note` are not. */
export function showOutput(output: readonly CodeModeOutput[] | undefined, io: CliIo): void {
  const paint = painter(isLively(io));
  for (const item of output ?? []) {
    if (item.type === 'text') io.stdout.write(`${item.text}\n`);
    else if (item.type === 'json') io.stdout.write(`${JSON.stringify(item.value, null, 2)}\n`);
    else if (item.type === 'log') say(io, item.level === 'log' ? item.text : `${item.level}: ${item.text}`);
    // How a later program reads on is no use to a process that ends.
    else if (!CUT_NOTE.test(item.text)) say(io, paint(item.text, 'dim'));
    if (item.truncated) tellCut(item.ref, io);
  }
}

/** What code mode says of cuts to a model. */
const CUT_NOTE = /^(?:one part was|\d+ parts were) cut to fit maxOutputBytes;/;

function tellCut(ref: string | undefined, io: CliIo): void {
  const how =
    ref === undefined
      ? 'it is too large to keep whole: return less, or raise keptResultsBytes of the code-mode row'
      : '--full prints all of it';
  say(io, painter(isLively(io))(`(cut to fit maxOutputBytes; ${how})`, 'yellow'));
}

/** Prints the end of a program, its output so far being printed. Gives the exit code. */
export function showEnd(result: CodeModeResult, io: CliIo): number {
  if (result.status === 'failed') {
    showFailure(result, io);
    return EXIT.programFailed;
  }
  if (result.status === 'completed') {
    const { value } = result;
    if (value !== null) io.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n`);
    if (result.truncated) tellCut(result.ref, io);
  }
  return EXIT.ok;
}

function showFailure(result: FailedResult, io: CliIo): void {
  const paint = painter(isLively(io));
  const where =
    result.line === undefined ? '' : ` (line ${result.line}${result.column ? `, column ${result.column}` : ''})`;
  say(io, `${paint(`${result.code}:`, 'red')} ${result.error}${where}`);
  if (result.hint) say(io, `${paint('hint:', 'dim')} ${result.hint}`);
  for (const call of result.calls.filter(({ status }) => status !== 'ok')) {
    say(
      io,
      paint(`  ${call.toolId} ${call.status}${call.code ? ` ${call.code}` : ''} ${Math.round(call.ms)} ms`, 'dim'),
    );
  }
}
