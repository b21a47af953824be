// What plugins log goes to stderr; what a row failed with is left out, since the row's own message tells it.
import type { RowStatus } from '@codeseam/cordis-loader';
import type { Context } from 'cordis';
import { messageOf } from './errors.ts';
import { type CliIo, say } from './io.ts';

const LEVELS = ['error', 'warn', 'info', 'debug'];
const WARN = 1;
const DEBUG = 3;

interface LogMessage {
  name: string;
  level: number;
  args: unknown[];
}

/** Warnings and errors by default; everything if `CODESEAM_DEBUG` is set. */
export function exportLog(ctx: Context, io: CliIo, rows: () => readonly RowStatus[]): void {
  const level = io.env['CODESEAM_DEBUG'] ? DEBUG : WARN;
  ctx.logger.exporter({
    levels: { default: level },
    export(message: LogMessage) {
      // A row learns of its failure just after it is logged.
      setImmediate(() => {
        const [first] = message.args;
        if (first instanceof Error && rows().some((row) => row.error === first || row.error?.cause === first)) return;
        say(io, `${message.name}: ${LEVELS[message.level] ?? 'info'}: ${render(message.args)}`);
      });
    },
  } as never);
}

function render(args: readonly unknown[]): string {
  return args
    .map((arg) =>
      typeof arg === 'object' && arg !== null && !(arg instanceof Error) ? JSON.stringify(arg) : messageOf(arg),
    )
    .join(' ')
    .replaceAll(/\s*\n\s*/g, ' ');
}
