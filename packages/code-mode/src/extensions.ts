// Extensions: globals that somebody else adds to programs, under his own switch.
import { type CodeBindingNamespace, refusedNameReason } from '@codeseam/code-runtime';
import { CODE_MODE_NAMES, type NamespaceRegistry } from '@codeseam/namespaces';
import type { ToolScope } from '@codeseam/tools';
import { CodeModeError } from './errors.ts';
import type { CodeModeExtension } from './types.ts';

/** Reserved, but kept for an extension. */
const FOR_EXTENSIONS = new Set(['agents', 'phase', 'log', 'SwarmAgentError']);

export class ExtensionList {
  readonly #list = new Map<string, { extension: CodeModeExtension; unreserve: () => void }>();

  constructor(readonly namespaces: () => NamespaceRegistry | undefined) {}

  get all(): CodeModeExtension[] {
    return [...this.#list.values()].map(({ extension }) => extension);
  }

  get globals(): string[] {
    return this.all.flatMap(({ globals }) => [...globals]);
  }

  bindings(scope: ToolScope): CodeBindingNamespace[] {
    return this.all.flatMap((extension) => extension.bindings(scope));
  }

  /** @throws CodeModeError `invalid_input` for a bad or taken id or global. */
  add(extension: CodeModeExtension): () => void {
    const { id, globals } = extension;
    if (typeof id !== 'string' || id === '') throw refuse('an extension needs an id, a non-empty string');
    if (this.#list.has(id)) throw refuse(`an extension ${JSON.stringify(id)} is there already`);
    for (const name of globals) {
      const reason = refusedNameReason(name) ?? (isOurs(name) ? 'a name of code mode' : undefined);
      if (reason) throw refuse(`extension ${JSON.stringify(id)}: the global ${JSON.stringify(name)} is ${reason}`);
      const other = this.all.find((it) => it.globals.includes(name));
      if (other)
        throw refuse(
          `extension ${JSON.stringify(id)}: the global ${JSON.stringify(name)} is taken by extension ${JSON.stringify(other.id)}`,
        );
    }
    const unreserve = this.namespaces()?.reserve(globals) ?? (() => {});
    const entry = { extension: Object.freeze({ ...extension, globals: Object.freeze([...globals]) }), unreserve };
    this.#list.set(id, entry);
    return () => {
      if (this.#list.get(id) !== entry) return;
      this.#list.delete(id);
      unreserve();
    };
  }

  clear(): void {
    for (const { unreserve } of this.#list.values()) unreserve();
    this.#list.clear();
  }
}

function isOurs(name: string): boolean {
  return (CODE_MODE_NAMES as readonly string[]).includes(name) && !FOR_EXTENSIONS.has(name);
}

function refuse(message: string): CodeModeError {
  return new CodeModeError('invalid_input', message);
}
