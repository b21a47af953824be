// Which mode and transport hold for a scope, and why nothing can be presented where that is so.
import { nearestNames } from '@codeseam/nearest-names';
import { ToolRegistryError } from '../errors.ts';
import type { PresentationMode, ToolScope, ToolsConfig, ToolTransport, TransportName } from '../types.ts';

export const PRESENTATION_MODES: readonly PresentationMode[] = ['native', 'code', 'both'];

export interface ModeOverride {
  mode: PresentationMode;
  transport?: TransportName;
  when(scope: ToolScope): boolean;
}

export interface ResolvedMode {
  mode: PresentationMode;
  transport?: TransportName;
  problem?: string;
}

/**
 * Fills mode and transport, each by itself: what is written explicitly wins, an override for the scope before the config. Without a
 * word, the transport is `exec` where code mode registered it, else `run_code`, and the mode is `code` exactly where `exec` carries it.
 */
export function resolveMode(
  scope: ToolScope,
  config: ToolsConfig,
  overrides: readonly ModeOverride[],
  transports: ReadonlyMap<string, ToolTransport>,
): ResolvedMode {
  const override = overrides.findLast((entry) => appliesTo(entry, scope));
  const hasExec = transports.has('exec');
  const transport = override?.transport ?? config.transport ?? (hasExec ? 'exec' : 'run_code');
  const mode = override?.mode ?? config.mode ?? (hasExec && transport === 'exec' ? 'code' : 'native');
  if (mode === 'native') return { mode };
  const problem = problemOf(transport, transports, scope);
  return { mode, transport, ...(problem === undefined ? {} : { problem }) };
}

function appliesTo(override: ModeOverride, scope: ToolScope): boolean {
  try {
    return Boolean(override.when(scope));
  } catch {
    return false;
  }
}

function problemOf(name: string, transports: ReadonlyMap<string, ToolTransport>, scope: ToolScope): string | undefined {
  const transport = transports.get(name);
  if (transport) return transport.problem?.(scope);
  if (name === 'exec')
    return 'transport "exec" needs code mode: mount @codeseam/code-mode with `enabled: true`, or set transport to "run_code"';
  const near = nearestNames(name, transports.keys(), 1)[0];
  return `transport ${JSON.stringify(name)} is not registered${near ? `; did you mean "${near}"?` : ''}`;
}

/** @throws {ToolRegistryError} `invalid-option` for a mode that is none. */
export function checkMode(mode: unknown): asserts mode is PresentationMode {
  if (!PRESENTATION_MODES.includes(mode as PresentationMode)) {
    throw new ToolRegistryError(
      'invalid-option',
      `mode must be one of ${PRESENTATION_MODES.join(', ')}, found ${JSON.stringify(mode)}`,
    );
  }
}
