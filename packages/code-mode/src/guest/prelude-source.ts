// The prelude of a run: ours, and those of the extensions behind it. Its id changes with its text.
import { createHash } from 'node:crypto';
import type { CodePrelude } from '@codeseam/code-runtime';
import type { CodeModeExtension } from '../types.ts';
import prelude from './prelude.ts?bundle=guest';

const OWN = `(${prelude}\n).install(host);`;
const made = new Map<string, CodePrelude>();

export function preludeOf(extensions: readonly CodeModeExtension[]): CodePrelude {
  const parts = extensions.flatMap(({ id, prelude: source }) => (source === undefined ? [] : [{ id, source }]));
  const source = [OWN, ...parts.map((it) => `{\n${it.source}\n}`)].join('\n');
  let found = made.get(source);
  if (!found) {
    const hash = createHash('sha256').update(source).digest('base64url').slice(0, 16);
    found = Object.freeze({ id: ['code-mode', hash, ...parts.map(({ id }) => id)].join(':'), source });
    made.set(source, found);
  }
  return found;
}
