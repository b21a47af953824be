// Results as a person may have them: whole, where a model is shown a part.
import type { CodeMode, CodeModeOutput, CodeModeResult } from '@codeseam/code-mode';
import { CLI_SCOPE } from './open-host.ts';

type Kept = Pick<CodeMode, 'keptResult'>;

/** Puts the whole of each part that was cut in its place; one that is not kept any more stays cut. */
export function restoreCuts(result: CodeModeResult, codeMode: Kept): CodeModeResult {
  const output = result.output && { output: restoreOutput(result.output, codeMode) };
  if (result.status !== 'completed' || result.ref === undefined) return { ...result, ...output };
  const value = read(result.ref, codeMode);
  if (value === undefined) return { ...result, ...output };
  const { ref: _ref, truncated: _truncated, ...rest } = result;
  return { ...rest, ...output, value };
}

function restoreOutput(output: readonly CodeModeOutput[], codeMode: Kept): CodeModeOutput[] {
  return output.map((item) => {
    const whole = item.ref === undefined ? undefined : read(item.ref, codeMode);
    if (whole === undefined) return item;
    const { ref: _ref, truncated: _truncated, ...rest } = item;
    return rest.type === 'json' ? { ...rest, value: whole } : { ...rest, text: String(whole) };
  });
}

function read(ref: string, codeMode: Kept) {
  try {
    return codeMode.keptResult(ref, { scope: CLI_SCOPE });
  } catch {
    // The oldest are dropped where much is kept.
    return undefined;
  }
}
