// Which composition a command runs with: the given file, ./cordis.yml, or the built-in one.
import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type CordisRow, type LoaderOptions, readConfigFile } from '@codeseam/cordis-loader';
import { DEFAULT_ROWS, rowsForServers } from './default-config.ts';
import { CliError } from './errors.ts';
import type { CliIo } from './io.ts';

export interface FoundConfig {
  /** How messages call it. */
  label: string;
  /** Whether there is no file. */
  isBuiltIn: boolean;
  /** What the loader gets. */
  options: Pick<LoaderOptions, 'file' | 'rows' | 'rowsFrom' | 'folder'>;
}

/**
 * Finds the config. A JSON file with a map of MCP servers (`mcpServers`), as other clients have it, stands for the
 * built-in composition with those servers. Throws `LoaderError` for a file that cannot be read, `CliError` for JSON that
 * is neither servers nor rows.
 */
export async function findConfig(io: CliIo, given: string | undefined): Promise<FoundConfig> {
  const usual = resolve(io.cwd, 'cordis.yml');
  const file = given === undefined ? (existsSync(usual) ? usual : undefined) : resolve(io.cwd, given);
  if (file === undefined) {
    return { label: 'the built-in config', isBuiltIn: true, options: { rows: DEFAULT_ROWS, folder: io.cwd } };
  }
  const label = given ?? 'cordis.yml';
  const rows = extname(file).toLowerCase() === '.json' ? await readServersFile(io, label) : undefined;
  return { label, isBuiltIn: false, options: rows ? { rows, rowsFrom: label, folder: io.cwd } : { file } };
}

/** Undefined for a list of rows. */
async function readServersFile(io: CliIo, path: string): Promise<CordisRow[] | undefined> {
  const { value } = readConfigFile(path, { folder: io.cwd });
  if (Array.isArray(value)) return undefined;
  const { findMcpServers } = await import('@codeseam/mcp-client');
  const servers = findMcpServers(value);
  if (servers !== undefined) return rowsForServers(servers);
  throw new CliError(
    'CONFIG',
    `${path} has no MCP servers and no rows`,
    'a JSON config is {"mcpServers": {"name": {"command": "..."}}}, or a list of rows as in cordis.yml',
  );
}
