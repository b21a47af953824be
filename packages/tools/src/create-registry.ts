// The registry: tools, who may see them, what a model gets, and every call.

import { createViewBuilder } from './build-view.ts';
import { Cancellation } from './cancellation.ts';
import { callCard, resultCard } from './cards.ts';
import { toolsConfig } from './config.ts';
import { createControlRecords } from './control-records.ts';
import { ToolRegistryError } from './errors.ts';
import { createHookLists } from './hooks.ts';
import { compareOwners, TOOL_SOURCES } from './identity.ts';
import { createObservers } from './observers.ts';
import type { CallServices } from './pipeline/call-state.ts';
import { executeCall } from './pipeline/execute-call.ts';
import { checkRequest, createCallResolver } from './pipeline/resolve-call.ts';
import { createDestructivePolicy } from './policy/ask-destructive.ts';
import { checkPayload } from './presentation/check-payload.ts';
import { presentView } from './presentation/present-view.ts';
import { checkMode, type ModeOverride, resolveMode } from './presentation/resolve-mode.ts';
import { openProgram, type ProgramServices } from './program/open-program.ts';
import { compileRestriction, type Restriction } from './restrictions.ts';
import { createRunCodeTransport } from './run-code/run-code-transport.ts';
import { createToolTable } from './tool-table.ts';
import type {
  CardRequest,
  ClientTools,
  PromptSection,
  ToolCallOutcome,
  ToolCallRequest,
  ToolProgram,
  ToolRegistry,
  ToolRegistryServices,
  ToolScope,
  ToolsConfig,
  ToolTransport,
} from './types.ts';

/** How long calls that were aborted at the end of the registry may take to end. */
const DISPOSE_GRACE_MS = 250;

/**
 * Creates a registry. It needs nothing around it: runtime and approval service are asked for when they are needed.
 *
 * @throws {ConfigError} for a config with unknown fields or values out of range.
 * @example
 * const tools = createToolRegistry({ mode: 'native' });
 * tools.register({ name: 'add', description: 'Adds', parameters: { type: 'object' }, execute: ({ a, b }) => a + b });
 * const outcome = await tools.execute({ callId: '1', name: 'add', arguments: { a: 1, b: 2 }, scope: {} });
 */
export function createToolRegistry(given: ToolsConfig = {}, services: ToolRegistryServices = {}): ToolRegistry {
  const config = Object.freeze(toolsConfig(given));
  const warn = services.warn ?? (() => {});
  const observers = createObservers(warn);
  const hooks = createHookLists();
  const table = createToolTable((change) => observers.emit('tools/change', change));
  let restrictions: readonly Restriction[] = [];
  const views = createViewBuilder(table, () => restrictions);
  const controlRecords = createControlRecords();
  const transports = new Map<string, ToolTransport>();
  let overrides: readonly ModeOverride[] = [];
  let sections: readonly { section: PromptSection; when: (scope: ToolScope) => boolean }[] = [];
  const programs = new Set<ToolProgram>();
  const openCalls = new Map<Cancellation, Promise<unknown>>();
  let disposed: Promise<void> | undefined;

  const alive = () => {
    if (disposed) throw new ToolRegistryError('disposed', 'the tool registry is disposed');
  };
  /** Not the tools themselves, but what is shown of them has changed. */
  const changed = () => observers.emit('tools/change', { added: [], removed: [] });
  const approval = () => services.approval?.();
  const callServices: CallServices = {
    hooks,
    observers,
    approval,
    asksByDefault: createDestructivePolicy(config.trust ?? [], () => approval() !== undefined),
    warn,
  };
  const modeOf = (scope: ToolScope) => resolveMode(scope, config, overrides, transports);
  const controlsOf = (transport: ToolTransport, view: ReturnType<typeof views.view>) => controlRecords(transport, view);
  const resolve = createCallResolver({ views, modeOf, transports, controlsOf });

  const executeSub: ProgramServices['execute'] = (request, { tool, isSnapshot, stop, gate }) =>
    executeCall({
      request,
      target: tool ? resolve.tool(tool, request) : resolve(request),
      stop,
      services: callServices,
      isSnapshot,
      gate,
    });

  /** Undefined where nothing has to be made ready; so nobody waits who needs not. */
  const prepareView = (scope: ToolScope, clientTools: ClientTools | undefined, transport: string | undefined) => {
    const asked = transport === undefined ? undefined : transports.get(transport);
    const prepareTransport = () => asked?.prepare?.(views.view(scope, clientTools));
    const viewing = views.prepare(scope, clientTools);
    return viewing ? viewing.then(prepareTransport) : prepareTransport();
  };

  const execute = async (request: ToolCallRequest): Promise<ToolCallOutcome> => {
    alive();
    checkRequest(request);
    const { scope, clientTools, name } = request;
    const preparing = prepareView(
      scope,
      clientTools,
      name === undefined ? undefined : (request.transport ?? modeOf(scope).transport),
    );
    if (preparing) {
      await preparing;
      alive();
    }
    const target = resolve(request);
    const controller = new Cancellation();
    const forward = () => controller.abort(request.signal?.reason);
    if (request.signal?.aborted) forward();
    else request.signal?.addEventListener('abort', forward);
    const running = executeCall({ request, target, stop: controller, services: callServices });
    openCalls.set(controller, running);
    try {
      return await running;
    } finally {
      openCalls.delete(controller);
      request.signal?.removeEventListener('abort', forward);
    }
  };

  const hostRegistrars = new Map<string, ReturnType<typeof table.registrar>>();
  const registrarOf = (source: 'host' | 'plugin' | 'mcp', owner: string) => {
    const key = `${source}:${owner}`;
    const known = hostRegistrars.get(key) ?? table.registrar({ source, owner });
    hostRegistrars.set(key, known);
    return known;
  };
  const isRegistered = (ref: string) => {
    if (table.get(ref)) return true;
    for (const record of table.all()) if (record.name === ref) return true;
    return false;
  };

  const recordOf = (request: CardRequest) => {
    const target = resolve({ ...request, callId: 'card', asHost: true });
    return 'tool' in target ? target.record : undefined;
  };

  const registry: ToolRegistry = {
    config,
    register(definition) {
      alive();
      const { source = 'host', owner = 'core' } = definition ?? {};
      if (source === 'client') throw clientSource();
      return registrarOf(source, owner).register(definition);
    },
    registrar(identity) {
      alive();
      if (!TOOL_SOURCES.includes(identity.source)) {
        throw new ToolRegistryError(
          'invalid-option',
          `the source of a registrar must be one of host, plugin, mcp; found ${JSON.stringify(identity.source)}`,
        );
      }
      if (identity.source === 'client') throw clientSource();
      if (typeof identity.owner !== 'string' || identity.owner === '') {
        throw new ToolRegistryError('invalid-option', 'the owner of a registrar must be a non-empty string');
      }
      return table.registrar(identity);
    },
    restrict(restriction) {
      alive();
      const compiled = compileRestriction(restriction);
      restrictions = [...restrictions, compiled];
      changed();
      return once(() => {
        restrictions = restrictions.filter((entry) => entry !== compiled);
        changed();
      });
    },
    view(scope, { clientTools } = {}) {
      alive();
      return views.view(scope, clientTools);
    },
    async prepareView(scope, { clientTools } = {}) {
      alive();
      await prepareView(scope, clientTools, undefined);
      alive();
      return views.view(scope, clientTools);
    },
    absentOwners(scope) {
      alive();
      if (scope.disableTools === true) return [];
      const applying = restrictions.filter((restriction) => restriction.applies(scope));
      return table
        .absentOwners()
        .filter((owner) => applying.every((restriction) => restriction.permitsOwner(owner)))
        .sort(compareOwners);
    },
    async present(view) {
      alive();
      const resolved = modeOf(view.scope);
      if (view.tools.length === 0) return Object.freeze({ mode: resolved.mode, tools: [], sections: [], tokens: 0 });
      if (resolved.problem !== undefined) {
        throw new ToolRegistryError('presentation', `mode "${resolved.mode}" cannot be presented: ${resolved.problem}`);
      }
      const transport = resolved.transport === undefined ? undefined : transports.get(resolved.transport);
      await transport?.prepare?.(view);
      const presentation = await presentView(view, {
        mode: resolved.mode,
        ...(transport ? { transport } : {}),
        controls: transport ? controlsOf(transport, view) : [],
        toolOrder: config.toolOrder ?? [],
        shadow: (id) => sections.findLast((entry) => entry.section.id === id && entry.when(view.scope))?.section,
        hooks: hooks.of('present'),
        order: { isRegistered, warn },
      });
      observers.emit('tools/presented', presentation, view.scope);
      return presentation;
    },
    presentationOf: modeOf,
    presentAs(mode, { transport, when }) {
      alive();
      checkMode(mode);
      if (typeof when !== 'function')
        throw new ToolRegistryError('invalid-option', 'presentAs needs `when`: a function of the scope');
      const override: ModeOverride = { mode, ...(transport === undefined ? {} : { transport }), when };
      overrides = [...overrides, override];
      changed();
      return once(() => {
        overrides = overrides.filter((entry) => entry !== override);
        changed();
      });
    },
    registerTransport(transport) {
      alive();
      if (
        typeof transport?.name !== 'string' ||
        typeof transport.controlTools !== 'function' ||
        typeof transport.sections !== 'function'
      ) {
        throw new ToolRegistryError(
          'invalid-option',
          'a transport must be { name, controlTools(view), sections(view) }',
        );
      }
      if (transports.has(transport.name)) {
        throw new ToolRegistryError(
          'invalid-option',
          `transport ${JSON.stringify(transport.name)} is registered already`,
        );
      }
      transports.set(transport.name, transport);
      changed();
      return once(() => {
        transports.delete(transport.name);
        changed();
      });
    },
    section(section, { when = () => true } = {}) {
      alive();
      if (typeof section?.id !== 'string' || typeof section.render !== 'function' || !Number.isFinite(section.order)) {
        throw new ToolRegistryError('invalid-option', 'a section must be { id, order, render() }');
      }
      const entry = { section, when };
      sections = [...sections, entry];
      return once(() => {
        sections = sections.filter((other) => other !== entry);
      });
    },
    execute,
    hook(stage, fn, options) {
      alive();
      return hooks.add(stage, fn, options);
    },
    on: (name, listener) => observers.on(name, listener),
    openProgram(options) {
      alive();
      return openProgram(options, {
        observers,
        execute: executeSub,
        record: (tool) => views.visibleRecord(tool.id, options.view.scope, options.view.clientTools),
        opened(program) {
          programs.add(program);
          return () => programs.delete(program);
        },
      });
    },
    callCard: (request) => callCard(recordOf(request), request.id ?? request.name ?? '', request.arguments),
    resultCard: (request, outcome) => resultCard(recordOf(request), request.arguments, outcome),
    checkPayload,
    dispose() {
      disposed ??= (async () => {
        for (const program of [...programs]) program.abandon('the tool registry was disposed');
        const open = [...openCalls];
        for (const [controller] of open) controller.abort('the tool registry was disposed');
        await settledWithin(
          open.map(([, running]) => running),
          DISPOSE_GRACE_MS,
        );
        table.clear();
        transports.clear();
        hooks.clear();
        observers.clear();
        restrictions = [];
        overrides = [];
        sections = [];
      })();
      return disposed;
    },
  };
  transports.set(
    'run_code',
    createRunCodeTransport({
      runtime: () => services.runtime?.(),
      maxParallelSubCalls: config.maxParallelSubCalls ?? 10,
      view: ({ scope, clientTools }) => views.view(scope, clientTools),
      openProgram: (options) => registry.openProgram(options),
    }),
  );
  return registry;
}

function clientSource(): ToolRegistryError {
  return new ToolRegistryError(
    'untrusted-owner',
    'tools of a client are not registered: give them to view() and execute() as clientTools',
  );
}

function once(undo: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    undo();
  };
}

async function settledWithin(running: readonly Promise<unknown>[], ms: number): Promise<void> {
  if (running.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.allSettled(running), limit]);
  clearTimeout(timer);
}
