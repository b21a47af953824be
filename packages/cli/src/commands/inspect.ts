// `codeseam inspect`: what the model would see, and all that lies behind it.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeFileProblem } from '@codeseam/cordis-loader';
import type { RunCommand } from '../command-line.ts';
import { CliError } from '../errors.ts';
import { collectInspection, exitCodeOf } from '../inspect/collect-inspection.ts';
import { htmlReport } from '../inspect/html-report.ts';
import { parseTrace } from '../inspect/parse-trace.ts';
import { textReport } from '../inspect/text-report.ts';
import { type CliIo, painter, say, writeJson } from '../io.ts';
import { withHost } from '../open-host.ts';

export const run: RunCommand = async (args, io) => {
  const html = args.text('html');
  const tracePath = args.text('trace');
  if (tracePath !== undefined && html === undefined) throw new CliError('USAGE', '--trace needs --html');
  const trace = tracePath === undefined ? undefined : parseTrace(readTrace(io, tracePath), tracePath);
  return await withHost(io, { config: args.text('config'), tellFailures: false }, async (host) => {
    const inspection = await collectInspection(host);
    if (html !== undefined) {
      writePage(io, html, htmlReport(inspection, trace));
      say(io, `wrote ${html}`);
    }
    if (args.has('json')) writeJson(io, inspection);
    else if (html === undefined)
      io.stdout.write(textReport(inspection, painter(io.stdout.isTTY === true && !io.env['NO_COLOR'])));
    return exitCodeOf(inspection);
  });
};

function readTrace(io: CliIo, path: string): string {
  try {
    return readFileSync(resolve(io.cwd, path), 'utf8');
  } catch (error) {
    throw new CliError('INPUT', `cannot read the trace ${path}: ${describeFileProblem(error, path, 'read')}`);
  }
}

function writePage(io: CliIo, path: string, page: string): void {
  try {
    writeFileSync(resolve(io.cwd, path), page);
  } catch (error) {
    throw new CliError('OUTPUT', `cannot write ${path}: ${describeFileProblem(error, path, 'write')}`);
  }
}
