// Turns a program's source into plain JavaScript that is safe to wrap, or says why it cannot run.
import { type PreparedCell, prepareCell } from '@codeseam/cell';
import type { SeenFailure } from '@codeseam/code-runtime';

/** What `language` a request may carry; checked by the host. */
export type ProgramLanguage = 'javascript' | 'typescript' | undefined;

/** Checks a program and strips its types. Programs that come again are found in the cell's cache. */
export function prepareProgram(
  program: string,
  language: ProgramLanguage,
): { code: string } | { failure: SeenFailure } {
  let cell: PreparedCell;
  try {
    cell = prepareCell({ program, language });
  } catch (error) {
    const missing = (error as { code?: unknown }).code === 'MODULE_NOT_FOUND';
    const message = missing
      ? 'the TypeScript reader @swc/wasm-typescript is not installed'
      : 'the program could not be read';
    return { failure: { kind: 'unavailable', message, hint: 'write plain JavaScript' } };
  }
  if (cell.ok) return { code: cell.code };
  const { kind, message, line, column, hint } = cell;
  return {
    failure: { kind, name: 'SyntaxError', message, line, column, ...(hint === undefined ? {} : { hint }) },
  };
}
