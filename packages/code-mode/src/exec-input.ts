// What a model sends to `exec` and `wait`, read field by field.
import type { CodeModeSettings } from './config-schema.ts';
import { type RunFailure, runFailure } from './run/map-failure.ts';
import type { CodeModeLanguage } from './types.ts';

export interface ReadExecInput {
  code: string;
  language: CodeModeLanguage | undefined;
  restartSafe: boolean;
}

export type Read<T> = { ok: true; input: T } | { ok: false; failure: RunFailure };

const EXAMPLE = 'send { "code": "return await tools.search(\\"what you need\\")" }';

/** `command` is an alias of `code`, for policies that rewrite shell commands. */
export function readExecInput(given: unknown, settings: CodeModeSettings): Read<ReadExecInput> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return invalid('exec takes one object with the program in `code`', EXAMPLE);
  }
  const { code: asCode, command, language, restartSafe } = given as Record<string, unknown>;
  const code = asCode ?? command;
  if (code === undefined) return invalid('`code` is missing: the program to run, as a string', EXAMPLE);
  if (typeof code !== 'string') return invalid(`\`code\` must be a string, not ${kindOf(code)}`, EXAMPLE);
  if (command !== undefined && command !== code)
    return invalid('`command` is another name for `code`; both are given and differ');
  if (code.trim() === '') return invalid('`code` is empty: there is nothing to run', EXAMPLE);
  if (restartSafe !== undefined && typeof restartSafe !== 'boolean') {
    return invalid(`\`restartSafe\` must be true or false, not ${kindOf(restartSafe)}`);
  }
  if (language !== undefined && !isLanguage(language, settings)) {
    const shown = typeof language === 'string' ? JSON.stringify(language.slice(0, 40)) : kindOf(language);
    return {
      ok: false,
      failure: runFailure(
        'unsupported_language',
        `\`language\` ${shown} is not available here; programs are written in ${settings.languages.join(' or ')}`,
        language === 'python' ? 'write the program in JavaScript' : 'leave `language` out',
      ),
    };
  }
  return {
    ok: true,
    input: { code, language: language as CodeModeLanguage | undefined, restartSafe: restartSafe === true },
  };
}

export interface ReadWaitInput {
  runId: string;
  cancel: boolean;
}

export function readWaitInput(given: unknown): Read<ReadWaitInput> {
  const { runId, cancel } = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  if (typeof runId !== 'string' || runId === '') {
    return invalid('`runId` is missing: the runId of an exec that answered `waiting`', 'send { "runId": "run_…" }');
  }
  if (cancel !== undefined && typeof cancel !== 'boolean')
    return invalid(`\`cancel\` must be true or false, not ${kindOf(cancel)}`);
  return { ok: true, input: { runId, cancel: cancel === true } };
}

function isLanguage(language: unknown, settings: CodeModeSettings): boolean {
  return (settings.languages as readonly unknown[]).includes(language);
}

function invalid(error: string, hint?: string): { ok: false; failure: RunFailure } {
  return { ok: false, failure: runFailure('invalid_input', error, hint) };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
