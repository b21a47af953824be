// The error of a config that breaks its schema.

/** One thing that is wrong with a config. */
export interface ConfigViolation {
  /** Where, such as `limits.computeMs` or `servers[2].command`; empty for the config itself. */
  path: string;
  /** What is wrong, what is allowed, and what was given. */
  message: string;
  /** What was given. */
  value: unknown;
  /** What is allowed there, in words: `a whole number from 1 to 64`. */
  allowed?: string;
}

/** Everything that is wrong with a config, found in one go. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'invalid_config';
  constructor(
    readonly violations: readonly ConfigViolation[],
    /** Whose config it is; leads the message. */
    owner?: string,
  ) {
    const lines = violations.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    const head = owner ? `invalid config of ${owner}` : 'invalid config';
    super(lines.length === 1 ? `${head}: ${lines[0]}` : `${head}:\n${lines.map((line) => `  - ${line}`).join('\n')}`);
  }
}
