// Approvals on the terminal, for the commands that a person runs.
import type { ApprovalService } from '@codeseam/tools';
import { createTerminalApproval } from '@codeseam/tools/terminal-approval';
import type { Context } from 'cordis';
import type { CliIo } from './io.ts';

/**
 * Provides the approval service if stdin and stderr are a terminal and no row provides one.
 * @returns whether a question is open
 */
export function askOnTerminal(ctx: Context, io: CliIo): () => boolean {
  if (ctx.get('approval') !== undefined || io.stdin.isTTY !== true || io.stderr.isTTY !== true) return () => false;
  const terminal = createTerminalApproval({ input: io.stdin, output: io.stderr });
  let open = 0;
  const service: ApprovalService = {
    async request(question, signal) {
      open++;
      // The live line gives way to the question.
      io.stderr.write('\r\x1b[2K');
      try {
        return await terminal.request(question, signal);
      } finally {
        open--;
      }
    },
  };
  ctx.provide('approval', service);
  return () => open > 0;
}
