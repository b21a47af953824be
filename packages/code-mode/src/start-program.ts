// From a checked `exec` to a program that is ready to go.
import { randomBytes } from 'node:crypto';
import type { CodeRunLimits, CodeRuntime, CodeRuntimeError } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import { NamespaceError, type NamespaceRegistry } from '@codeseam/namespaces';
import { runInSlices, type ToolRegistry, type ToolRunContext, type ToolView } from '@codeseam/tools';
import { isProgramReady, prepareProgram, programBindings } from './bindings/program-bindings.ts';
import { absentServers } from './catalog/absent-servers.ts';
import type { CatalogCache } from './catalog/catalog-cache.ts';
import type { CodeModeSettings } from './config-schema.ts';
import type { ReadExecInput } from './exec-input.ts';
import type { ExtensionList } from './extensions.ts';
import { preludeOf } from './guest/prelude-source.ts';
import type { ObserverList } from './observers.ts';
import { readCell } from './read-cell.ts';
import { type RunFailure, runFailure } from './run/map-failure.ts';
import { ProgramRun, type RunHost } from './run/program-run.ts';
import type { SuspendedRunStore } from './store/suspended-run-store.ts';
import { visibleNames } from './visible-names.ts';

/** What programs are made of. */
export interface ProgramParts {
  readonly tools: ToolRegistry;
  readonly runtime: () => CodeRuntime | undefined;
  readonly namespaces: () => NamespaceRegistry | undefined;
  readonly store: () => SuspendedRunStore | undefined;
  readonly catalogs: CatalogCache;
  readonly extensions: ExtensionList;
  readonly observers: ObserverList;
  warn(message: string): void;
  settingsOf(view: ToolView): CodeModeSettings;
}

export interface StartOptions extends ReadExecInput {
  runtime: CodeRuntime;
  view: ToolView;
  settings: CodeModeSettings;
  context: ToolRunContext;
}

export type Started = { ok: true; run: ProgramRun } | { ok: false; failure: RunFailure; run?: ProgramRun };

export async function startProgram(parts: ProgramParts, host: RunHost, options: StartOptions): Promise<Started> {
  const { runtime, view, settings, context, restartSafe } = options;
  const catalog = parts.catalogs.for(view);
  const absentAtStart = absentServers(parts.tools, view);
  const cell = readCell(options.code, options.language, settings, catalog);
  if (!cell.ok) return cell;
  if (!isProgramReady(catalog)) await runInSlices(prepareProgram(catalog));
  const run = new ProgramRun({
    id: `run_${randomBytes(15).toString('base64url')}`,
    host,
    view,
    catalog,
    absentAtStart,
    settings,
    parent: { callId: context.callId, rootCallId: context.rootCallId },
    restartSafe,
    code: options.code,
    visibleTools: visibleNames(parts.tools, view),
    onUpdate: (update) => context.update(update as JsonValue),
  });
  host.opened(run);
  try {
    const namespaces = parts.namespaces()?.open(view, run.signal) ?? [];
    run.start(runtime, {
      program: cell.program,
      ...(cell.language === undefined ? {} : { language: cell.language }),
      bindings: [...programBindings(catalog, namespaces), ...parts.extensions.bindings(view.scope)],
      globals: { ALL_TOOLS: catalog.allTools as unknown as JsonValue },
      prelude: preludeOf(parts.extensions.all),
      limits: limitsOf(runtime, settings),
    });
  } catch (error) {
    const failure = startFailure(error);
    run.discard(failure);
    return { ok: false, failure, run };
  }
  return { ok: true, run };
}

/** Our own bounds lie below the runtime's: it gives its largest where we count ourselves. */
function limitsOf({ maxLimits }: CodeRuntime, settings: CodeModeSettings): Partial<CodeRunLimits> {
  const { maxPendingCalls, maxOutputBytes } = maxLimits;
  return {
    memoryLimitBytes: settings.memoryLimitBytes,
    maxSnapshotBytes: settings.maxSnapshotBytes,
    ...(maxPendingCalls === undefined ? {} : { maxPendingCalls }),
    ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
  };
}

function startFailure(error: unknown): RunFailure {
  if (error instanceof NamespaceError) {
    return runFailure(
      'internal_error',
      error.message,
      'nothing of the program ran; the plugin of that namespace has to be mended',
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  switch ((error as { code?: unknown } | null)?.code) {
    case 'disposed' satisfies CodeRuntimeError['code']:
      return runFailure('runtime_unavailable', message);
    case 'unsupported-language' satisfies CodeRuntimeError['code']:
      return runFailure('unsupported_language', message);
    case 'invalid-limit' satisfies CodeRuntimeError['code']:
      return runFailure('invalid_config', message);
    default:
      return runFailure('internal_error', `the program could not be started: ${message}`);
  }
}
