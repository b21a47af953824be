// Makes JavaScript of a program, or says why it cannot run; no thread is spawned for one that cannot.
import { prepareCell } from '@codeseam/cell';
import { type CodeRunFailure, programFailure } from '@codeseam/code-runtime';
import type { WorkerRequest } from './worker-request.ts';

const NODE_HINT = "Node's own modules are at process.getBuiltinModule('node:fs') and the like; there are no packages.";

export function prepareProgram({
  program,
  language,
}: Pick<WorkerRequest, 'program' | 'language'>): { source: string } | { failure: CodeRunFailure } {
  const { ok, ...cell } = prepareCell({ program, language: language === 'python' ? undefined : language });
  if ('code' in cell) return { source: cell.code };
  return { failure: programFailure(cell.kind === 'module-access' ? { ...cell, hint: NODE_HINT } : cell) };
}
