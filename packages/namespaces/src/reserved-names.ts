// The global names that no namespace may have.
import { refusedNameReason } from '@codeseam/code-runtime';

/** The globals of code mode and of its swarm, whether they are mounted or not. */
export const CODE_MODE_NAMES = [
  'ALL_TOOLS',
  'API',
  'MCP',
  'SwarmAgentError',
  'ToolCallError',
  'agents',
  'json',
  'log',
  'namespaces',
  'phase',
  'results',
  'text',
  'tools',
  'yield_control',
] as const;

const OURS = new Set<string>(CODE_MODE_NAMES);

/** Why a name cannot be a namespace's global: the end of the sentence `<name> is ...`, or `undefined`. */
export function refusedGlobalName(name: string): string | undefined {
  return refusedNameReason(name) ?? (OURS.has(name) ? 'a name of code mode' : undefined);
}
