// JSON as a model reads it well: what fits a line stays on it, the rest is indented by one space.
import { type JsonValue, stringifyJson } from '@codeseam/lossless-json';

const LINE = 100;
/** Below this depth everything stays on one line. */
const MAX_DEPTH = 40;

/** Writes a JSON value compactly but readably; text that `JSON.parse` takes back. */
export function readableJson(value: JsonValue): string {
  return write(value, 0);
}

function write(value: JsonValue, depth: number): string {
  if (typeof value !== 'object' || value === null) return stringifyJson(value);
  if (depth >= MAX_DEPTH) return stringifyJson(value);
  const keys = Object.keys(value);
  if (keys.length === 0) return Array.isArray(value) ? '[]' : '{}';
  const pieces: string[] = [];
  for (const key of keys) {
    const item = write((value as Record<string, JsonValue>)[key]!, depth + 1);
    pieces.push(Array.isArray(value) ? item : `${JSON.stringify(key)}: ${item}`);
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  const length = pieces.reduce((sum, piece) => sum + piece.length + 2, depth + 4);
  if (length <= LINE && !pieces.some((piece) => piece.includes('\n'))) return `${open}${pieces.join(', ')}${close}`;
  const margin = ' '.repeat(depth + 1);
  return `${open.trim()}\n${margin}${pieces.join(`,\n${margin}`)}\n${' '.repeat(depth)}${close.trim()}`;
}
