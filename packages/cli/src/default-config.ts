// The composition that is used without a config file, and the one around an `mcpServers` file.
import type { CordisRow } from '@codeseam/cordis-loader';

/** Registry in mode `code`, the exec transport, the QuickJS runtime, no tools. */
export const DEFAULT_ROWS: readonly CordisRow[] = [
  { id: 'tools', name: '@codeseam/tools', config: { mode: 'code', transport: 'exec' } },
  { id: 'runtime', name: '@codeseam/code-runtime-quickjs' },
  { id: 'namespaces', name: '@codeseam/namespaces' },
  { id: 'code-mode', name: '@codeseam/code-mode', config: { enabled: true } },
];

/** The default composition with the servers of an `mcpServers` map, as other clients' files have it. */
export function rowsForServers(servers: unknown): CordisRow[] {
  return [...DEFAULT_ROWS, { id: 'mcp', name: '@codeseam/mcp-client', config: { servers } }];
}

/** What rows of a config usually name. */
export const KNOWN_PLUGINS: readonly string[] = [
  ...DEFAULT_ROWS.flatMap(({ name }) => name ?? []),
  '@codeseam/code-runtime-worker',
  '@codeseam/mcp-client',
  '@codeseam/mcp-server',
  '@codeseam/swarm',
];
