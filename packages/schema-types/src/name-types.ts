// Names for the named types of a tree.

import { pascalCase, toTypeName } from './type-name.ts';
import type { NamedType } from './type-tree.ts';

/** Names each type `<Prefix><Words>`; what is declared is added to `taken`. */
export function nameTypes(named: readonly NamedType[], prefix: string, taken: Set<string>): void {
  const start = prefix === '' ? '' : pascalCase(prefix);
  for (const item of named) item.name = toTypeName(`${start} ${pascalPart(item.words)}`, taken);
}

/** Words in PascalCase as the later part of a name, where a leading digit is fine. */
function pascalPart(words: string): string {
  const part = pascalCase(words);
  return part === 'T' ? 'Part' : part;
}
