// Errors of the command line, and the exit codes.

/** What the process ends with. */
export const EXIT = { ok: 0, programFailed: 1, usage: 2, interrupted: 130 } as const;

export type CliErrorCode = 'USAGE' | 'CONFIG' | 'INPUT' | 'OUTPUT' | 'FAILED' | 'INTERRUPTED';

const EXIT_CODES: Record<CliErrorCode, number> = {
  USAGE: EXIT.usage,
  CONFIG: EXIT.usage,
  INPUT: EXIT.usage,
  OUTPUT: EXIT.usage,
  FAILED: EXIT.programFailed,
  INTERRUPTED: EXIT.interrupted,
};

/** One clear line for the person at the terminal, and the exit code that goes with it. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  readonly hint?: string;

  constructor(code: CliErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    if (hint !== undefined) this.hint = hint;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}

/** The text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
