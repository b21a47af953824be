// The composition that is used without a config file, and the one around an `mcpServers` file.
import { type CordisRow, JsExpression } from '@codeseam/cordis-loader';
import { replacePlaces } from './init/variable-places.ts';

/** Registry in mode `code`, the exec transport, the QuickJS runtime, no tools. */
export const DEFAULT_ROWS: readonly CordisRow[] = [
  { id: 'tools', name: '@codeseam/tools', config: { mode: 'code', transport: 'exec' } },
  { id: 'runtime', name: '@codeseam/code-runtime-quickjs' },
  { id: 'namespaces', name: '@codeseam/namespaces' },
  { id: 'code-mode', name: '@codeseam/code-mode', config: { enabled: true } },
];

/**
 * The default composition with a map of servers, as other clients' files have it: a row for each, so that one that is
 * wrong is alone, and `${VARIABLES}` as expressions, so that one that is not set is an error of its row.
 */
export function rowsForServers(servers: Readonly<Record<string, unknown>>): CordisRow[] {
  const rows = Object.entries(servers).map(([name, server]): CordisRow => {
    const filled = replacePlaces(server, (expression) => new JsExpression(expression));
    return { id: `mcp-${name}`, name: '@codeseam/mcp-client', config: { servers: { [name]: filled } } };
  });
  return [...DEFAULT_ROWS, ...rows];
}

/** What rows of a config usually name. */
export const KNOWN_PLUGINS: readonly string[] = [
  ...DEFAULT_ROWS.flatMap(({ name }) => name ?? []),
  '@codeseam/code-runtime-worker',
  '@codeseam/mcp-client',
  '@codeseam/mcp-server',
  '@codeseam/swarm',
];
