// The cordis side: the service `namespaces`, whose registrations end with the plugin that made them.

import type { ToolView } from '@codeseam/tools';
import { identityOf, isHost } from '@codeseam/tools/cordis';
import { type Context, Service } from 'cordis';
import { NamespaceError } from './errors.ts';
import { createNamespaceRegistry } from './namespace-registry.ts';
import type {
  NamespaceDefinition,
  NamespaceOwner,
  NamespaceRegistry,
  NamespaceStatus,
  OpenNamespace,
  VisibleNamespace,
} from './types.ts';

declare module 'cordis' {
  interface Context {
    namespaces: NamespacesService;
  }
}

/** `ctx.namespaces`: the registry, with every registration an effect of the caller's fiber. */
export default class NamespacesService extends Service implements NamespaceRegistry {
  static override readonly name = '@codeseam/namespaces';

  /** The registry itself, for consumers that outlive one plugin. */
  readonly core: NamespaceRegistry;

  constructor(ctx: Context) {
    super(ctx, 'namespaces');
    this.core = createNamespaceRegistry({ warn: (message) => ctx.logger.warn(message) });
  }

  /** Registers for the calling plugin; only the host may name another owner. */
  register(definition: NamespaceDefinition, options?: NamespaceOwner): () => void {
    const { ctx, core } = this;
    const own = identityOf(ctx);
    const foreign = options?.owner !== undefined && options.owner !== own.owner;
    if (foreign && !isHost(ctx)) {
      throw new NamespaceError(
        'invalid_namespace',
        `plugin ${JSON.stringify(own.owner)} may not register a namespace of ${JSON.stringify(options.owner)}`,
        'only the host names another owner',
      );
    }
    const undo = ctx.effect(() => core.register(definition, foreign ? options : own), 'namespaces.register');
    return () => void undo();
  }

  clear(owner: string): void {
    const { ctx, core } = this;
    const own = identityOf(ctx);
    if (owner !== own.owner && !isHost(ctx)) {
      throw new NamespaceError(
        'invalid_namespace',
        `plugin ${JSON.stringify(own.owner)} may not clear the namespaces of ${JSON.stringify(owner)}`,
      );
    }
    core.clear(owner);
  }

  status(view: ToolView): NamespaceStatus[] {
    return this.core.status(view);
  }

  visible(view: ToolView): VisibleNamespace[] {
    return this.core.visible(view);
  }

  open(view: ToolView, signal: AbortSignal): OpenNamespace[] {
    return this.core.open(view, signal);
  }

  reserve(names: readonly string[]): () => void {
    const { ctx, core } = this;
    const undo = ctx.effect(() => core.reserve(names), 'namespaces.reserve');
    return () => void undo();
  }

  onChange(listener: () => void): () => void {
    const { ctx, core } = this;
    const undo = ctx.effect(() => core.onChange(listener), 'namespaces.onChange');
    return () => void undo();
  }
}
