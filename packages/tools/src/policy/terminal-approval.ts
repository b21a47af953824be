// An approval service for a person at a terminal: asks yes or no, one question at a time.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { cutText } from '@codeseam/lossless-json';
import { strictConfig } from '@codeseam/strict-config';
import Schema from 'schemastery';
import { readableJson } from '../readable-json.ts';
import type { ApprovalQuestion, ApprovalService } from '../types.ts';

export interface TerminalApprovalOptions {
  /** Default: stdin. */
  input?: Readable & { isTTY?: boolean };
  /** Default: stderr, as stdout is for data. */
  output?: Writable & { isTTY?: boolean };
}

/** Longest arguments that are shown. */
const MAX_SHOWN_BYTES = 4_096;

/**
 * Creates the service. Without a terminal on both ends it denies and says why; the end of the input, an abort, and anything but `y`
 * or `yes` is a no.
 */
export function createTerminalApproval(options: TerminalApprovalOptions = {}): ApprovalService {
  const { input = process.stdin, output = process.stderr } = options;
  let last: Promise<unknown> = Promise.resolve();
  return {
    request(question, signal) {
      if (!input.isTTY || !output.isTTY) {
        return Promise.resolve({ decision: 'deny', reason: 'there is no terminal to ask on' });
      }
      const answer = last.then(() => ask(question, signal, input, output));
      last = answer.catch(() => {});
      return answer;
    },
  };
}

type Answer = Awaited<ReturnType<ApprovalService['request']>>;

function ask(question: ApprovalQuestion, signal: AbortSignal, input: Readable, output: Writable): Promise<Answer> {
  if (signal.aborted) return Promise.resolve({ decision: 'deny', reason: 'the call was aborted' });
  return new Promise((resolve) => {
    // Not as a terminal: Ctrl-C then stays what it is for the process.
    const lines = createInterface({ input, output, terminal: false });
    const finish = (answer: Answer) => {
      signal.removeEventListener('abort', stop);
      lines.removeAllListeners();
      lines.close();
      resolve(answer);
    };
    const stop = () => {
      output.write('\n');
      finish({ decision: 'deny', reason: 'the call was aborted' });
    };
    signal.addEventListener('abort', stop, { once: true });
    lines.on('close', () => finish({ decision: 'deny', reason: 'the terminal was closed' }));
    lines.once('line', (line) => {
      const yes = /^\s*y(es)?\s*$/i.test(line);
      finish(yes ? { decision: 'allow' } : { decision: 'deny', reason: 'the person at the terminal said no' });
    });
    output.write(`${questionText(question)}\nRun it? [y/N] `);
  });
}

function questionText({ tool, reason, arguments: args }: ApprovalQuestion): string {
  const shown = readableJson(args);
  const cut = cutText(shown, MAX_SHOWN_BYTES);
  const lines = [`Approval needed: ${tool.id}`];
  if (reason !== undefined) lines.push(`  why: ${reason}`);
  lines.push(`  with: ${cut === shown ? shown : `${cut}… (${shown.length - cut.length} more characters)`}`);
  return lines.map(plain).join('\n');
}

/** Arguments are the model's: they may not move the cursor or repaint the question. */
function plain(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '\uFFFD');
}

const terminalConfig = strictConfig<object, object>(Schema.object({}) as never, {
  name: '@codeseam/tools/terminal-approval',
});

/** What the plugin needs of a cordis context. */
interface ProvidingContext {
  provide(name: string, value: unknown): unknown;
}

export default {
  name: '@codeseam/tools/terminal-approval',
  Config: terminalConfig,
  apply(ctx: ProvidingContext) {
    ctx.provide('approval', createTerminalApproval());
  },
};
