// Whether the mounted runtime is what the config asks for.
import type { CodeRuntime } from '@codeseam/code-runtime';
import type { CodeModeSettings } from '../config-schema.ts';
import { type RunFailure, runFailure } from './map-failure.ts';

const NO_RUNTIME_HINT = 'the operator has to mount a runtime, @codeseam/code-runtime-quickjs for one';

/** The runtime of a run, or why there is none for it. */
export function checkRuntime(
  find: () => CodeRuntime | undefined,
  settings: CodeModeSettings,
): { runtime: CodeRuntime } | { failure: RunFailure } {
  const fail = (failure: RunFailure) => ({ failure });
  let runtime: CodeRuntime | undefined;
  try {
    runtime = find();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(runFailure('runtime_unavailable', `the code runtime could not be had: ${reason}`, NO_RUNTIME_HINT));
  }
  if (!runtime) return fail(runFailure('runtime_unavailable', 'no code runtime is mounted', NO_RUNTIME_HINT));
  if (settings.runtime !== undefined && settings.runtime !== runtime.isolation) {
    return fail(
      runFailure(
        'runtime_unavailable',
        `code mode asks for the runtime ${JSON.stringify(settings.runtime)}, and ${JSON.stringify(runtime.isolation)} is mounted`,
        'the operator has to mount that runtime, or to change `runtime` in the config of code mode',
      ),
    );
  }
  if (!settings.languages.some((language) => runtime.languages.includes(language))) {
    return fail(
      runFailure(
        'runtime_unavailable',
        `the mounted runtime runs ${runtime.languages.join(', ')}, and code mode is set to ${settings.languages.join(', ')}`,
        NO_RUNTIME_HINT,
      ),
    );
  }
  const over = limitOver(runtime, settings);
  return over
    ? fail(runFailure('invalid_config', over, 'the operator has to lower it, or to raise the limit of the runtime'))
    : { runtime };
}

function limitOver({ maxLimits }: CodeRuntime, settings: CodeModeSettings): string | undefined {
  for (const field of ['memoryLimitBytes', 'maxSnapshotBytes', 'maxOutputBytes'] as const) {
    const most = maxLimits[field];
    if (most !== undefined && settings[field] > most) {
      return `${field} of code mode is ${settings[field]}, and the mounted runtime allows at most ${most}`;
    }
  }
  return undefined;
}
