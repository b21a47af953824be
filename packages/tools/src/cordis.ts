// The cordis side of the registry: the service `tools`, whose registrations end with the plugin that made them.
import { type Context, Service } from 'cordis';
import { toolsConfig } from './config.ts';
import { createToolRegistry } from './create-registry.ts';
import { ToolRegistryError } from './errors.ts';
import { identityOf, isHost } from './plugin-owner.ts';
import { thrownMessage } from './read-thrown.ts';
import type {
  ApprovalService,
  CallCard,
  CardRequest,
  ClientTools,
  OpenProgramOptions,
  Presentation,
  PresentationMode,
  PromptSection,
  ResultCard,
  ToolCallOutcome,
  ToolCallRequest,
  ToolDefinition,
  ToolEvents,
  ToolHooks,
  ToolOwner,
  ToolOwnerInfo,
  ToolRegistrar,
  ToolRegistry,
  ToolRestriction,
  ToolScope,
  ToolSource,
  ToolsConfig,
  ToolTransport,
  ToolView,
} from './types.ts';

export { identityOf, isHost, type PluginIdentity } from './plugin-owner.ts';

declare module 'cordis' {
  interface Context {
    tools: ToolsService;
    approval: ApprovalService;
  }
  interface Events extends ToolEvents {}
}

const EVENTS = [
  'tools/change',
  'tools/presented',
  'tools/dispatch-start',
  'tools/dispatch',
  'tools/attempt',
  'tools/result',
] as const satisfies readonly (keyof ToolEvents)[];

/** `ctx.tools`: the registry, with every registration an effect of the caller's fiber. */
export default class ToolsService extends Service implements ToolRegistry {
  static override readonly name = '@codeseam/tools';
  static readonly Config = toolsConfig;

  /** The registry itself, for consumers that outlive one plugin. */
  readonly core: ToolRegistry;

  constructor(ctx: Context, config?: ToolsConfig) {
    super(ctx, 'tools');
    const warn = (message: string) => ctx.logger.warn(message);
    this.core = createToolRegistry(config ?? {}, {
      runtime: () => ctx.get('codeRuntime') as never,
      approval: () => ctx.get('approval'),
      warn,
    });
    for (const name of EVENTS) this.core.on(name, (...args: unknown[]) => forward(ctx, name, args, warn));
    ctx.effect(() => () => this.core.dispose(), 'tools');
  }

  get config(): Readonly<ToolsConfig> {
    return this.core.config;
  }

  /** Registers a tool of the calling plugin; its identity is not for it to choose. */
  register(definition: ToolDefinition): () => void {
    const { ctx, core } = this;
    const identity = identityOf(ctx);
    return this.owned(() => {
      if (isHost(ctx)) return core.register(definition);
      const registrar = core.registrar(identity);
      const undo = registrar.register(definition);
      return () => {
        undo();
        registrar.dispose();
      };
    }, 'tools.register');
  }

  /** The host may open a registrar for anybody; a plugin for MCP servers, and for itself. */
  registrar(identity: { source: ToolSource; owner: string; info?: ToolOwnerInfo }): ToolRegistrar {
    const { ctx, core } = this;
    const own = identityOf(ctx);
    const mine = identity.source === own.source && identity.owner === own.owner;
    if (!isHost(ctx) && !mine && identity.source !== 'mcp') {
      throw new ToolRegistryError(
        'untrusted-owner',
        `plugin ${JSON.stringify(own.owner)} may not register as ${identity.source}:${identity.owner}`,
        'the host opens such a registrar on its root context and hands it out',
      );
    }
    const registrar = core.registrar(identity);
    ctx.effect(() => () => registrar.dispose(), 'tools.registrar');
    return registrar;
  }

  restrict(restriction: ToolRestriction): () => void {
    const { core } = this;
    return this.owned(() => core.restrict(restriction), 'tools.restrict');
  }

  presentAs(mode: PresentationMode, options: { transport?: string; when: (scope: ToolScope) => boolean }): () => void {
    const { core } = this;
    return this.owned(() => core.presentAs(mode, options), 'tools.presentAs');
  }

  registerTransport(transport: ToolTransport): () => void {
    const { core } = this;
    return this.owned(() => core.registerTransport(transport), 'tools.registerTransport');
  }

  section(section: PromptSection, options?: { when?: (scope: ToolScope) => boolean }): () => void {
    const { core } = this;
    return this.owned(() => core.section(section, options), 'tools.section');
  }

  hook<Stage extends keyof ToolHooks>(stage: Stage, fn: ToolHooks[Stage], options?: { order?: number }): () => void {
    const { core } = this;
    return this.owned(() => core.hook(stage, fn, options), 'tools.hook');
  }

  on<Name extends keyof ToolEvents>(name: Name, listener: ToolEvents[Name]): () => void {
    const { core } = this;
    return this.owned(() => core.on(name, listener), 'tools.on');
  }

  view(scope: ToolScope, options?: { clientTools?: ClientTools }): ToolView {
    return this.core.view(scope, options);
  }

  prepareView(scope: ToolScope, options?: { clientTools?: ClientTools }): Promise<ToolView> {
    return this.core.prepareView(scope, options);
  }

  absentOwners(scope: ToolScope): ToolOwner[] {
    return this.core.absentOwners(scope);
  }

  present(view: ToolView): Promise<Presentation> {
    return this.core.present(view);
  }

  presentationOf(scope: ToolScope) {
    return this.core.presentationOf(scope);
  }

  execute(request: ToolCallRequest) {
    return this.core.execute(request);
  }

  openProgram(options: OpenProgramOptions) {
    return this.core.openProgram(options);
  }

  callCard(request: CardRequest): CallCard {
    return this.core.callCard(request);
  }

  resultCard(request: CardRequest, outcome: ToolCallOutcome): ResultCard {
    return this.core.resultCard(request, outcome);
  }

  checkPayload(tools: readonly unknown[], presentation: Presentation, options?: { allowTypes?: readonly string[] }) {
    this.core.checkPayload(tools, presentation, options);
  }

  /** The registry ends with the fiber that mounted it; this ends it earlier. */
  dispose(): Promise<void> {
    return this.core.dispose();
  }

  private owned(register: () => () => void, label: string): () => void {
    const undo = this.ctx.effect(register, label);
    return () => void undo();
  }
}

/** `emit` would let one listener's throw reach the others and the work; `parallel` keeps each to itself. */
function forward(ctx: Context, name: keyof ToolEvents, args: unknown[], warn: (message: string) => void): void {
  const told = (ctx.parallel as (name: string, ...args: unknown[]) => Promise<void>)(name, ...args);
  told.catch((error: unknown) => {
    const failures = error instanceof AggregateError ? error.errors : [error];
    for (const failure of failures) warn(`a listener of ${name} failed: ${thrownMessage(failure)}`);
  });
}
