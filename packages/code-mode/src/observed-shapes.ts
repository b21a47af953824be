// What results of tools without an output schema looked like in this session.
import type { JsonValue } from '@codeseam/lossless-json';

const MAX_CHARS = 300;
const MAX_DEPTH = 3;
const MAX_KEYS = 12;
const MOST_TOOLS = 200;

export class ObservedShapes {
  readonly #sessions = new Map<string, Map<string, string>>();

  /** Looks at the first result of each tool only: later ones cost nothing. */
  observe(session: string, toolId: string, value: JsonValue): void {
    const shapes = this.#sessions.get(session) ?? new Map<string, string>();
    this.#sessions.set(session, shapes);
    if (shapes.has(toolId) || shapes.size >= MOST_TOOLS) return;
    shapes.set(toolId, shapeOf(value));
  }

  get(session: string, toolId: string): string | undefined {
    return this.#sessions.get(session)?.get(toolId);
  }

  drop(isDropped: (session: string) => boolean): void {
    for (const session of this.#sessions.keys()) if (isDropped(session)) this.#sessions.delete(session);
  }

  clear(): void {
    this.#sessions.clear();
  }
}

/** A value's shape on one line: keys and kinds, no contents. */
export function shapeOf(value: JsonValue): string {
  const shape = describe(value, 0);
  return shape.length > MAX_CHARS ? `${shape.slice(0, MAX_CHARS - 1)}…` : shape;
}

function describe(value: JsonValue, depth: number): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) {
    const [first] = value;
    return first === undefined ? 'unknown[]' : `${depth >= MAX_DEPTH ? '…' : describe(first, depth + 1)}[]`;
  }
  if (depth >= MAX_DEPTH) return '{ … }';
  const keys = Object.keys(value);
  const members = keys.slice(0, MAX_KEYS).map((key) => `${memberName(key)}: ${describe(value[key]!, depth + 1)}`);
  if (keys.length > MAX_KEYS) members.push('…');
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
}

function memberName(key: string): string {
  return /^[A-Za-z_$][\w$]{0,60}$/.test(key) ? key : JSON.stringify(key.slice(0, 60));
}
