// Makes JavaScript of a program, or says why it cannot run; no thread is spawned for one that cannot.
import { prepareCell } from '@codeseam/cell';
import type { CodeLanguage, CodeRunFailure } from '@codeseam/code-runtime';

const NODE_HINT = "Node's own modules are at process.getBuiltinModule('node:fs') and the like; there are no packages.";

export function prepareProgram(
  program: string,
  language: CodeLanguage | undefined,
): { source: string } | { failure: CodeRunFailure } {
  const prepared = prepareCell({ program, language: language === 'python' ? undefined : language });
  if (prepared.ok) return { source: prepared.code };
  const { kind, message, line, column } = prepared;
  const hint = kind === 'module-access' ? NODE_HINT : prepared.hint;
  return { failure: { kind, message, line, column, ...(hint === undefined ? {} : { hint }) } };
}
