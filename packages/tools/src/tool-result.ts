// The one way for a tool to give more than a bare value.
import type { ToolResultInit } from './types.ts';

const BRAND = Symbol.for('codeseam.toolResult');

/**
 * Marks what a tool returns as a value with content, metadata or contexts beside it.
 *
 * @example
 * execute: async ({ city }) => toolResult({ value: { city, degrees: 7 }, content: [{ type: 'text', text: '7 °C' }] })
 */
export function toolResult(init: ToolResultInit): ToolResultInit {
  return Object.defineProperty({ ...init }, BRAND, { value: true });
}

/** Whether a tool returned `toolResult(...)`, of this copy of the package or another. Never throws. */
export function isToolResult(value: unknown): value is ToolResultInit {
  try {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  } catch {
    return false;
  }
}
