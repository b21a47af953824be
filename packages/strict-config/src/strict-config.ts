// Makes a schemastery schema strict: nothing unknown, nothing clamped, every violation at once.
import type Schema from 'schemastery';
import { type CheckedConfig, checkConfig } from './check-config.ts';
import { ConfigError, type ConfigViolation } from './errors.ts';

/** A config check: call it, or give it to cordis as a plugin's `Config` (it is a Standard Schema). */
export interface StrictConfig<S, T> {
  /**
   * Checks a config and fills in its defaults; the given object is left alone.
   * @throws {ConfigError} with every violation.
   */
  (config?: S | null): T;
  /** The schema it was made of. */
  readonly schema: Schema<S, T>;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'codeseam';
    readonly validate: (
      value: unknown,
    ) => { readonly value: T } | { readonly issues: readonly { readonly message: string; readonly path?: string[] }[] };
    readonly types?: { readonly input: S; readonly output: T };
  };
}

/**
 * Makes a strict check of a schemastery schema: an unknown key is refused with the nearest known one, every violation is
 * listed with its path, its value and what is allowed, and nothing is clamped or replaced in silence (`loose` has no effect).
 * `undefined` means absent; `null` is a value like any other, except for the config as a whole.
 *
 * @param options.name whose config it is, for messages
 */
export function strictConfig<S, T>(schema: Schema<S, T>, options: { name?: string } = {}): StrictConfig<S, T> {
  const check = (config: unknown): CheckedConfig => checkConfig(schema as Schema, config ?? undefined);
  const strict = (config?: S | null): T => {
    const { value, violations } = check(config);
    if (violations.length > 0) throw new ConfigError(violations, options.name);
    return value as T;
  };
  return Object.assign(strict, {
    schema,
    '~standard': {
      version: 1,
      vendor: 'codeseam',
      validate: (config: unknown) => {
        const { value, violations } = check(config);
        return violations.length > 0 ? { issues: violations.map(toIssue) } : { value: value as T };
      },
    },
  } as const);
}

/** Standard Schema issues have a path of keys; ours is one piece, since the message of cordis joins it anyway. */
function toIssue({ path, message }: ConfigViolation): { message: string; path?: string[] } {
  return path === '' ? { message } : { message, path: [path] };
}
