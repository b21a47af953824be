// Whether a program returns by itself; a `return` of a function inside it does not count.
import { parseBody } from './parse-body.ts';

/** A longer program is not read: this happens on the host's own thread. */
const LONGEST_READ = 100_000;

/** Whether a JavaScript program has a `return` with an expression; undefined where it cannot be read (TypeScript, very long). */
export function returnsExpression(program: string): boolean | undefined {
  if (program.length > LONGEST_READ) return undefined;
  const parsed = parseBody(program);
  return parsed.ok ? hasReturn(parsed.tree, true) : undefined;
}

/** Whether a part of the program's tree holds a `return` of the program itself. */
export function hasReturn(part: unknown, withExpression = false): boolean {
  const stack: unknown[] = [part];
  for (let node = stack.pop(); stack.length > 0 || node !== undefined; node = stack.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { type, argument } = node as { type?: unknown; argument?: unknown };
    if (type === 'ReturnStatement') {
      if (argument || !withExpression) return true;
      continue;
    }
    if (typeof type === 'string' && /^(?:Arrow)?Function|^(?:Class|PropertyDefinition|StaticBlock)/.test(type))
      continue;
    for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) stack.push(child);
  }
  return false;
}
