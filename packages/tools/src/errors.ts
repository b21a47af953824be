// The errors of the package: misuse of the registry, and the failure of one call.
import type { JsonValue } from '@codeseam/lossless-json';
import type { ToolErrorCode } from './types.ts';

/** What a host can do wrong with a registry. */
export const TOOL_REGISTRY_ERROR_CODES = [
  /** A definition with a missing, wrong or misnamed field. */
  'invalid-definition',
  /** A schema with a nonsense keyword; the message names it. */
  'unsupported-schema',
  /** A second tool with the same source, owner and name. */
  'duplicate-tool',
  /** A source or owner that the caller may not claim. */
  'untrusted-owner',
  /** A transport, section, restriction, hook or option with a wrong shape. */
  'invalid-option',
  /** Nothing can be presented: no runtime, no renderer, a transport that is not there, an order that cannot be. */
  'presentation',
  /** What is about to be sent is not what was presented. */
  'payload',
  /** The registry is disposed. */
  'disposed',
] as const;

export type ToolRegistryErrorCode = (typeof TOOL_REGISTRY_ERROR_CODES)[number];

/** Misuse of the registry by its host; thrown where it happens, never the outcome of a call. */
export class ToolRegistryError extends Error {
  override readonly name = 'ToolRegistryError';
  constructor(
    readonly code: ToolRegistryErrorCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

export interface ToolCallErrorDetails {
  /** What to do next. */
  hint?: string;
  toolName?: string;
  meta?: Readonly<Record<string, JsonValue>>;
}

const BRAND = Symbol.for('codeseam.ToolCallError');

/** The failure of one call. A tool, a hook or a transport may throw it to choose code and hint. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
  readonly [BRAND] = true;
  readonly hint?: string;
  readonly toolName?: string;
  readonly meta?: Readonly<Record<string, JsonValue>>;
  constructor(
    readonly code: ToolErrorCode,
    message: string,
    details: ToolCallErrorDetails = {},
  ) {
    super(message);
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.toolName !== undefined) this.toolName = details.toolName;
    if (details.meta !== undefined) this.meta = details.meta;
  }

  /** Also true for an error of another copy of this package. Never throws. */
  static is(value: unknown): value is ToolCallError {
    try {
      return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
    } catch {
      return false;
    }
  }
}
