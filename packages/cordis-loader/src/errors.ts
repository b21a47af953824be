// What can go wrong between a config file and a running plugin.

/** Every code a `LoaderError` may have. */
export const LOADER_ERROR_CODES = [
  'CONFIG_NOT_FOUND',
  'CONFIG_SYNTAX',
  'INVALID_ROW',
  'INVALID_EXPRESSION',
  'PLUGIN_NOT_FOUND',
  'INVALID_PLUGIN',
  'INVALID_CONFIG',
  'PLUGIN_FAILED',
] as const;

export type LoaderErrorCode = (typeof LOADER_ERROR_CODES)[number];

export interface LoaderErrorDetails {
  /** What to do next. */
  hint?: string;
  /** The row it belongs to; absent where the file as a whole cannot be read. */
  row?: string;
  cause?: unknown;
}

/** A config error: the message names file, row, field, value and range, as far as they are known. */
export class LoaderError extends Error {
  override readonly name = 'LoaderError';
  readonly code: LoaderErrorCode;
  readonly hint?: string;
  readonly row?: string;

  constructor(code: LoaderErrorCode, message: string, details: LoaderErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.row !== undefined) this.row = details.row;
  }
}

/** The text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
