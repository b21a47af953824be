// The config of code mode: every field with its default and range. Nothing is clamped, nothing unknown is let through.
import { ConfigError, strictConfig } from '@codeseam/strict-config';
import Schema from 'schemastery';
import { CodeModeError } from './errors.ts';
import type { CodeModeConfig, CodeModeLanguage } from './types.ts';

const LANGUAGES = ['javascript', 'typescript'] as const;
const DAY_SECONDS = 86_400;

const whole = (min: number, max: number) => Schema.natural().min(min).max(max);

/** An absent list stays absent, so that an agent's own may be told from the common one. */
const listOf = <T>(item: Schema<T, T>) => Schema.array(item).default(undefined as never);

/** Fails closed: whoever asks for a check must not believe that there is one. */
function refuseCheck(value: 'off' | 'report' | 'enforce'): 'off' {
  if (value === 'report' || value === 'enforce') {
    throw new Error('expected "off": programs cannot be checked against the declarations of the tools yet');
  }
  return value;
}

const limits = {
  runtime: Schema.string(),
  mode: Schema.union(['only'] as const),
  languages: listOf(Schema.union(LANGUAGES)),
  timeoutMs: whole(100, 60_000),
  memoryLimitBytes: whole(1_048_576, 1_073_741_824),
  maxOutputBytes: whole(1_024, 10_485_760),
  maxSnapshotBytes: whole(1_024, 268_435_456),
  maxPendingToolCalls: whole(1, 128),
  snapshotTtlSeconds: whole(1, DAY_SECONDS),
  approvalTtlSeconds: whole(1, 30 * DAY_SECONDS),
  searchDefaultLimit: whole(1, 50),
  maxSearchLimit: whole(1, 50),
  maxSuspendedRuns: whole(1, 100_000),
  indexMaxChars: whole(0, 64_000),
  keptResultsBytes: whole(0, 256 * 1_048_576),
  ownership: listOf(Schema.string()),
  check: Schema.transform(Schema.union(['off', 'report', 'enforce'] as const), refuseCheck),
};

/** For cordis, and for the check below. */
export const codeModeSchema: Schema<unknown, CodeModeConfig> = Schema.object({
  enabled: Schema.boolean(),
  ...limits,
  agents: Schema.dict(Schema.object(limits)),
}) as Schema<unknown, CodeModeConfig>;

const check = strictConfig(codeModeSchema, { name: 'code mode' });

/** What a run goes by: every field filled. */
export interface CodeModeSettings {
  readonly runtime: string | undefined;
  readonly languages: readonly CodeModeLanguage[];
  readonly timeoutMs: number;
  readonly memoryLimitBytes: number;
  readonly maxOutputBytes: number;
  readonly maxSnapshotBytes: number;
  readonly maxPendingToolCalls: number;
  readonly snapshotTtlSeconds: number;
  readonly approvalTtlSeconds: number;
  readonly searchDefaultLimit: number;
  readonly maxSearchLimit: number;
  readonly maxSuspendedRuns: number;
  readonly indexMaxChars: number;
  readonly keptResultsBytes: number;
  readonly ownership: readonly string[];
}

const DEFAULTS: Omit<CodeModeSettings, 'searchDefaultLimit'> = {
  runtime: undefined,
  languages: LANGUAGES,
  timeoutMs: 10_000,
  memoryLimitBytes: 67_108_864,
  maxOutputBytes: 65_536,
  maxSnapshotBytes: 10_485_760,
  maxPendingToolCalls: 16,
  snapshotTtlSeconds: 900,
  approvalTtlSeconds: 7 * DAY_SECONDS,
  maxSearchLimit: 50,
  maxSuspendedRuns: 1_024,
  indexMaxChars: 8_000,
  keptResultsBytes: 4 * 1_048_576,
  ownership: ['agentId', 'sessionId', 'agentRunId'],
};

/** A config that was read: what holds for everybody, and for single agents. */
export interface ReadConfig {
  readonly config: Readonly<CodeModeConfig>;
  settingsFor(agentId: string | undefined): CodeModeSettings;
}

/**
 * Checks a config and fills it in. `true` is short for `{ enabled: true }`, and an absent one or `false` for `{}`.
 *
 * @throws CodeModeError `invalid_config` with every violation: field, value, range, nearest field.
 */
export function readConfig(given: unknown): ReadConfig {
  const config = checked(given);
  const { agents = {}, ...common } = config;
  const settings = fill(common, 'code mode');
  const perAgent = new Map(
    Object.entries(agents).map(([id, own]) => [id, fill({ ...common, ...own }, `code mode, agents.${id}`)] as const),
  );
  return { config: Object.freeze(config), settingsFor: (agentId) => perAgent.get(agentId ?? '') ?? settings };
}

/** The check as a plugin's `Config`: callable, and a Standard Schema that takes `true` and `false` too. */
export const codeModeConfig = Object.assign(
  (given?: unknown): CodeModeConfig => check(spelledOut(given) as CodeModeConfig),
  {
    schema: codeModeSchema,
    '~standard': {
      version: 1,
      vendor: 'codeseam',
      validate: (given: unknown) => check['~standard'].validate(spelledOut(given)),
    },
  } as const,
);

function spelledOut(given: unknown): unknown {
  if (typeof given !== 'boolean') return given;
  return given ? { enabled: true } : {};
}

function checked(given: unknown): CodeModeConfig {
  try {
    return codeModeConfig(given);
  } catch (error) {
    if (error instanceof ConfigError)
      throw new CodeModeError('invalid_config', error.message, undefined, { cause: error });
    throw error;
  }
}

function fill(config: Omit<CodeModeConfig, 'agents'>, owner: string): CodeModeSettings {
  const given = Object.fromEntries(
    Object.entries(config).filter(
      ([name, value]) => value !== undefined && name in { ...DEFAULTS, searchDefaultLimit: 0 },
    ),
  );
  const merged = { ...DEFAULTS, ...given } as CodeModeSettings;
  const settings = { ...merged, searchDefaultLimit: merged.searchDefaultLimit ?? Math.min(8, merged.maxSearchLimit) };
  const refuse = (problem: string): never => {
    throw new CodeModeError('invalid_config', `invalid config of ${owner}: ${problem}`);
  };
  if (settings.searchDefaultLimit > settings.maxSearchLimit) {
    refuse(
      `searchDefaultLimit: expected a whole number from 1 to maxSearchLimit (${settings.maxSearchLimit}), got ${settings.searchDefaultLimit}`,
    );
  }
  if (settings.languages.length === 0) refuse(`languages: expected at least one of ${LANGUAGES.join(', ')}, got none`);
  return Object.freeze({ ...settings, languages: Object.freeze([...new Set(settings.languages)]) });
}
