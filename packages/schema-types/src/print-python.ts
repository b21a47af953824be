// Stage 3: a type tree as Python declarations.

import type { TypeTree } from './build-tree.ts';
import type { TypeNode } from './type-tree.ts';

export function printPython(
  _tree: TypeTree,
  _options: { name: string; taken: Set<string> },
): { type: string; declarations: string } {
  const root: TypeNode = _tree.root;
  return { type: root.kind === 'object' ? 'dict[str, object]' : 'object', declarations: '' };
}
