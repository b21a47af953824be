// Code mode without cordis: the exec transport over a registry, a runtime and, if there are some, namespaces.
import type { CodeRuntime } from '@codeseam/code-runtime';
import { CODE_MODE_NAMES, type NamespaceRegistry } from '@codeseam/namespaces';
import { runInSlices, type ToolRunContext, type ToolView } from '@codeseam/tools';
import { prepareProgram } from './bindings/program-bindings.ts';
import { callControl } from './call-control.ts';
import { describeCall, followAlias } from './call-info.ts';
import { CatalogCache } from './catalog/catalog-cache.ts';
import { readConfig } from './config-schema.ts';
import { ControlTools } from './control-tools.ts';
import { watchWire } from './debug-log.ts';
import { CodeModeError } from './errors.ts';
import { exampleCall } from './example-call.ts';
import { execDescription, isDescriptionReady, prepareDescription } from './exec-description.ts';
import { ExtensionList } from './extensions.ts';
import { ObserverList } from './observers.ts';
import { ProgramService } from './program-service.ts';
import type { SuspendedRunStore } from './store/suspended-run-store.ts';
import type { CodeMode, CodeModeInspection, CodeModeServices } from './types.ts';

/** The surface over fewer tools than this is a matter of a millisecond. */
const WORTH_SLICING = 500;

/**
 * Makes code mode and registers its transport with the registry: creating it enables it.
 *
 * @throws CodeModeError `invalid_config` with every violation.
 * @example
 * const codeMode = createCodeMode({ tools, runtime });
 * const result = await codeMode.exec({ code: 'return 1 + 1' }, { scope: {}, callId: 'call-1' });
 */
export function createCodeMode(services: CodeModeServices): CodeMode {
  const { tools } = services;
  const warn = services.warn ?? (() => {});
  const read = readConfig(services.config);
  const config = Object.freeze({ ...read.config, enabled: true });
  const runtime = getter<CodeRuntime>(services.runtime);
  const namespaces = getter<NamespaceRegistry>(services.namespaces);
  const store = getter<SuspendedRunStore>(services.store);
  const catalogs = new CatalogCache();
  const observers = new ObserverList(warn);
  const extensions = new ExtensionList(namespaces);
  const settingsOf = (view: ToolView) => read.settingsFor(view.scope.agentId);
  const programs = new ProgramService({
    tools,
    runtime,
    namespaces,
    store,
    catalogs,
    extensions,
    observers,
    warn,
    settingsOf,
  });

  const describeExec = (view: ToolView): string =>
    execDescription({
      catalog: catalogs.for(view),
      settings: settingsOf(view),
      namespaces: namespaces()?.visible(view) ?? [],
      extensionGlobals: extensions.globals,
    });

  /** Undefined where the description is ready or a matter of a millisecond. */
  const prepareSurface = (view: ToolView): Promise<void> | undefined => {
    if (view.tools.length < WORTH_SLICING) return undefined;
    const catalog = catalogs.for(view);
    const settings = settingsOf(view);
    return isDescriptionReady(catalog, settings) ? undefined : runInSlices(prepareDescription(catalog, settings));
  };

  const controls = new ControlTools({
    exec: (args, context) => programs.exec(args, viewOf(context), context),
    wait: (args, context) => programs.wait(args, viewOf(context), context),
  });
  const viewOf = ({ scope, clientTools }: ToolRunContext) => tools.view(scope, clientTools ? { clientTools } : {});
  const undo = [
    tools.registerTransport({
      name: 'exec',
      checksArguments: true,
      controlTools: (view) => controls.for(describeExec(view), settingsOf(view).languages),
      sections: () => [],
      prepare: (view) => prepareSurface(view),
      describeCall,
      rewriteArguments: (name, before, after) => (name === 'exec' ? followAlias(before, after) : undefined),
      problem: (scope) => programs.runtimeProblem(read.settingsFor(scope.agentId)),
      example: (tool, argumentsText) => exampleCall(tool, argumentsText, catalogs),
    }),
    watchWire(tools),
  ];
  let disposed: Promise<void> | undefined;

  return {
    config,
    exec: (input, options) => callControl(tools, 'exec', input, options),
    wait: (input, options) => callControl(tools, 'wait', input, options),
    replay: ({ code, language }, options) =>
      callControl(tools, 'exec', { code, ...(language ? { language } : {}), restartSafe: true }, options),
    endRun: (scope) => programs.endRun(scope),
    endSession: (scope) => programs.endSession(scope),
    extend: (extension) => extensions.add(extension),
    on: (name, listener) => observers.on(name, listener),
    keptResult: (ref, { scope }) => programs.keptResult(ref, scope),
    transcript: (of) => programs.transcript.of(of),
    async search(query, { scope, clientTools, limit }) {
      const view = await tools.prepareView(scope, clientTools ? { clientTools } : {});
      const settings = settingsOf(view);
      const asked = limit ?? settings.searchDefaultLimit;
      if (typeof query !== 'string') throw new CodeModeError('invalid_input', 'a search query must be a string');
      if (!Number.isInteger(asked) || asked < 1) {
        throw new CodeModeError(
          'invalid_input',
          `limit must be a whole number from 1 to ${settings.maxSearchLimit}, got ${String(limit)}`,
        );
      }
      const catalog = catalogs.for(view);
      await runInSlices(catalog.prepareServers());
      const found = (await catalog.search()).find(query, Math.min(asked, settings.maxSearchLimit));
      return { entries: found.tools.map((tool) => catalog.entry(tool)), total: found.total };
    },
    async inspect(scope, { clientTools } = {}): Promise<CodeModeInspection> {
      const view = await tools.prepareView(scope, clientTools ? { clientTools } : {});
      const catalog = catalogs.for(view);
      await runInSlices(prepareProgram(catalog));
      await prepareSurface(view);
      await runInSlices(catalog.mcp.prepare({ files: '' }));
      const problem = idleReason(tools.presentationOf(scope)) ?? programs.runtimeProblem(settingsOf(view));
      return {
        enabled: true,
        ...(problem === undefined ? {} : { problem }),
        catalog: [...catalog.allTools, ...catalog.mcpTools.map((tool) => catalog.entry(tool))],
        execDescription: describeExec(view),
        namespaces: namespaces()?.status(view) ?? [],
        files: catalog.mcp.servers.length > 0 ? catalog.mcp.list().files : [],
      };
    },
    dispose() {
      disposed ??= (async () => {
        for (const off of undo) off();
        await programs.dispose();
        extensions.clear();
        catalogs.clear();
        observers.clear();
      })();
      return disposed;
    },
  };
}

/** Names that no tool, namespace or extension of another hand may have as a global. */
export const RESERVED_NAMES: readonly string[] = CODE_MODE_NAMES;

function getter<T extends object>(given: T | (() => T | undefined) | undefined): () => T | undefined {
  return typeof given === 'function' ? (given as () => T | undefined) : () => given;
}

function idleReason({
  mode,
  transport,
  problem,
}: ReturnType<CodeModeServices['tools']['presentationOf']>): string | undefined {
  if (problem !== undefined) return problem;
  if (mode === 'native') return 'code mode is idle: the registry presents tools natively';
  return transport === 'exec' ? undefined : `code mode is idle: the registry uses the transport ${transport}`;
}
