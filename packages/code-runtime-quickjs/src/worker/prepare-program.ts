// Turns a program's source into plain JavaScript that is safe to wrap, or says why it cannot be run.
import type { CodeLanguage } from '@codeseam/code-runtime';
import type { WorkerFailure } from '../messages.ts';

export function prepareProgram(
  source: string,
  _language: CodeLanguage | undefined,
): { code: string } | { failure: WorkerFailure } | Promise<{ code: string }> {
  return { code: source };
}
