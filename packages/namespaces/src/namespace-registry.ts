// The registry of namespaces: who may have which name, and which namespaces a view opens.
import type { ToolView } from '@codeseam/tools';
import { checkDefinition } from './check-definition.ts';
import { NamespaceError } from './errors.ts';
import { findOwnedTool, type Owner } from './find-owned-tool.ts';
import { openNamespace } from './open-namespace.ts';
import type {
  NamespaceDefinition,
  NamespaceOwner,
  NamespaceRegistry,
  NamespaceStatus,
  VisibleNamespace,
} from './types.ts';

export interface NamespaceRegistryOptions {
  /** The owner of what is registered without one. Default `core`, the owner of the host's own tools. */
  owner?: string;
  /** Where the failure of a listener or of a `prompt` goes. Default: nowhere. */
  warn?: (message: string) => void;
}

interface Registration {
  readonly definition: NamespaceDefinition;
  readonly owner: Owner;
}

/**
 * Makes a registry of namespaces, for use with or without cordis.
 *
 * @example
 * const namespaces = createNamespaceRegistry();
 * const undo = namespaces.register({ id: 'issues', globalName: 'Issues', … });
 */
export function createNamespaceRegistry(options: NamespaceRegistryOptions = {}): NamespaceRegistry {
  return new Registry(options.owner ?? 'core', options.warn ?? (() => {}));
}

class Registry implements NamespaceRegistry {
  /** By id, in order of id: what is registered first must not matter to what a model reads. */
  readonly #registrations = new Map<string, Registration>();
  readonly #reserved = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly defaultOwner: string,
    readonly warn: (message: string) => void,
  ) {}

  register(definition: NamespaceDefinition, options: NamespaceOwner = {}): () => void {
    const owner = options.owner ?? this.defaultOwner;
    if (typeof owner !== 'string' || owner === '') {
      throw new NamespaceError('invalid_namespace', 'the owner of a namespace must be a non-empty string');
    }
    const { source } = options;
    const registration: Registration = {
      definition: checkDefinition(definition, owner),
      owner: source === undefined ? { owner } : { owner, source },
    };
    this.#refuseTaken(registration);
    const { id } = registration.definition;
    this.#registrations.set(id, registration);
    this.#changed();
    return () => {
      if (this.#registrations.get(id) !== registration) return;
      this.#registrations.delete(id);
      this.#changed();
    };
  }

  clear(owner: string): void {
    let removed = false;
    for (const [id, registration] of this.#registrations) {
      if (registration.owner.owner === owner) removed = this.#registrations.delete(id) || removed;
    }
    if (removed) this.#changed();
  }

  status(view: ToolView): NamespaceStatus[] {
    return this.#sorted().map(({ definition, owner }) => {
      const missing = definition.requiredToolNames.flatMap((name) => {
        const found = findOwnedTool(view, owner, name);
        return 'reason' in found ? [{ name, reason: found.reason }] : [];
      });
      return {
        id: definition.id,
        globalName: definition.globalName,
        owner: owner.owner,
        visible: missing.length === 0,
        missing,
      };
    });
  }

  visible(view: ToolView): VisibleNamespace[] {
    return this.#visible(view).map(({ definition, owner }) => {
      const prompt = this.#prompt(definition, view);
      const { id, globalName, description } = definition;
      return { id, globalName, owner: owner.owner, description, ...(prompt === undefined ? {} : { prompt }) };
    });
  }

  open(view: ToolView, signal: AbortSignal) {
    return this.#visible(view).map((registration) =>
      openNamespace({
        ...registration,
        view,
        signal,
        isRegistered: () => this.#registrations.get(registration.definition.id) === registration,
      }),
    );
  }

  reserve(names: readonly string[]): () => void {
    for (const name of names) {
      const holder = this.#holderOf(name);
      if (!holder) continue;
      throw new NamespaceError(
        'name_taken',
        `the global name ${JSON.stringify(name)} is taken by namespace ${JSON.stringify(holder.definition.id)} of plugin ${JSON.stringify(holder.owner.owner)}`,
      );
    }
    for (const name of names) this.#reserved.set(name, (this.#reserved.get(name) ?? 0) + 1);
    let undone = false;
    return () => {
      if (undone) return;
      undone = true;
      for (const name of names) {
        const count = (this.#reserved.get(name) ?? 0) - 1;
        if (count > 0) this.#reserved.set(name, count);
        else this.#reserved.delete(name);
      }
    };
  }

  onChange(listener: () => void): () => void {
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  #refuseTaken({ definition, owner }: Registration): void {
    const who = `namespace ${JSON.stringify(definition.id)} of plugin ${JSON.stringify(owner.owner)}`;
    const sameId = this.#registrations.get(definition.id);
    if (sameId) {
      throw new NamespaceError('name_taken', `${who}: the id is taken by plugin ${JSON.stringify(sameId.owner.owner)}`);
    }
    const name = JSON.stringify(definition.globalName);
    const holder = this.#holderOf(definition.globalName);
    if (holder) {
      throw new NamespaceError(
        'name_taken',
        `${who}: globalName ${name} is taken by namespace ${JSON.stringify(holder.definition.id)} of plugin ${JSON.stringify(holder.owner.owner)}`,
      );
    }
    if (this.#reserved.has(definition.globalName)) {
      throw new NamespaceError('name_taken', `${who}: globalName ${name} is reserved by an extension of code mode`);
    }
  }

  #holderOf(globalName: string): Registration | undefined {
    for (const registration of this.#registrations.values()) {
      if (registration.definition.globalName === globalName) return registration;
    }
    return undefined;
  }

  #sorted(): Registration[] {
    return [...this.#registrations.values()].sort((a, b) => (a.definition.id < b.definition.id ? -1 : 1));
  }

  #visible(view: ToolView): Registration[] {
    return this.#sorted().filter(({ definition, owner }) =>
      definition.requiredToolNames.every((name) => 'tool' in findOwnedTool(view, owner, name)),
    );
  }

  #prompt(definition: NamespaceDefinition, view: ToolView): string | undefined {
    if (typeof definition.prompt !== 'function') return definition.prompt;
    try {
      const text: unknown = definition.prompt(view.scope);
      if (typeof text === 'string') return text;
      this.warn(`the prompt of namespace ${JSON.stringify(definition.id)} gave no string`);
    } catch (error) {
      this.warn(`the prompt of namespace ${JSON.stringify(definition.id)} threw: ${(error as Error)?.message}`);
    }
    return undefined;
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        this.warn(`a listener for changes of namespaces threw: ${(error as Error)?.message}`);
      }
    }
  }
}
