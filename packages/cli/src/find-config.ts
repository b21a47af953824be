// Which composition a command runs with: the given file, ./cordis.yml, or the built-in one.
import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type CordisRow, type LoaderOptions, readConfigFile } from '@codeseam/cordis-loader';
import { DEFAULT_ROWS, rowsForServers } from './default-config.ts';
import type { CliIo } from './io.ts';

export interface FoundConfig {
  /** How messages call it. */
  label: string;
  /** What the loader gets. */
  options: Pick<LoaderOptions, 'file' | 'rows' | 'folder'>;
}

/**
 * Finds the config. A JSON file that holds `mcpServers`, as other clients have them, stands for the built-in
 * composition with those servers. Throws `LoaderError` for a file that cannot be read.
 */
export function findConfig(io: CliIo, given: string | undefined): FoundConfig {
  const usual = resolve(io.cwd, 'cordis.yml');
  const file = given === undefined ? (existsSync(usual) ? usual : undefined) : resolve(io.cwd, given);
  if (file === undefined) return { label: 'the built-in config', options: { rows: DEFAULT_ROWS, folder: io.cwd } };
  const label = given ?? 'cordis.yml';
  const rows = extname(file).toLowerCase() === '.json' ? readServersFile(file) : undefined;
  return { label, options: rows ? { rows, folder: io.cwd } : { file } };
}

function readServersFile(file: string): CordisRow[] | undefined {
  const { value } = readConfigFile(file);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'mcpServers')) return undefined;
  return rowsForServers((value as { mcpServers: unknown }).mcpServers);
}
