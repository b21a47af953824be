// Turns a program's source into plain JavaScript that is safe to wrap, or says why it cannot run.
import { prepareCell } from '@codeseam/cell';
import type { WorkerFailure } from '../messages.ts';

/** What `language` a request may carry; checked by the host. */
export type ProgramLanguage = 'javascript' | 'typescript' | undefined;

/** Checks a program and strips its types. Programs that come again are found in the cell's cache. */
export function prepareProgram(
  program: string,
  language: ProgramLanguage,
): { code: string } | { failure: WorkerFailure } {
  const cell = prepareCell({ program, language });
  if (cell.ok) return { code: cell.code };
  const { kind, message, line, column, hint } = cell;
  return {
    failure: { kind, name: 'SyntaxError', message, line, column, ...(hint === undefined ? {} : { hint }) },
  };
}
