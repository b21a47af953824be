// The guest's `results`: what was too large to show in an earlier result of the session.
import { type CodeBindingNamespace, type CodeCallContext, CodeCallError } from '@codeseam/code-runtime';
import { CodeModeError } from '../errors.ts';
import { programOf } from './guest-program.ts';

export const resultsBinding: CodeBindingNamespace = Object.freeze({
  global: 'results',
  functions: Object.freeze({
    async read(this: CodeCallContext, ref?: unknown, options?: unknown) {
      try {
        return programOf(this).readKept(ref, options);
      } catch (error) {
        if (!(error instanceof CodeModeError)) throw error;
        throw new CodeCallError(error.hint ? `${error.message}; ${error.hint}` : error.message, {
          code: 'INVALID_ARGS',
        });
      }
    },
  }),
});
