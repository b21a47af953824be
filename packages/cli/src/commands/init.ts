// `codeseam init`: writes a commented cordis.yml, with the servers of another client's file if there is one.
import { existsSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { describeFileProblem, readConfigFile } from '@codeseam/cordis-loader';
import type { RunCommand } from '../command-line.ts';
import { CliError, EXIT } from '../errors.ts';
import { configText } from '../init/config-text.ts';
import { importServers } from '../init/import-servers.ts';
import { type CliIo, say } from '../io.ts';

export const run: RunCommand = async (args, io) => {
  const out = resolve(io.cwd, args.text('out') ?? 'cordis.yml');
  const label = relative(io.cwd, out) || out;
  if (existsSync(out) && !args.has('force')) {
    throw new CliError('INPUT', `${label} is there already`, '--force replaces it, --out FILE writes elsewhere');
  }
  const from = args.text('from');
  const { servers, secrets } =
    from === undefined ? { servers: {}, secrets: [] } : importServers(await readServers(io, from));
  try {
    writeFileSync(out, configText(servers));
  } catch (error) {
    throw new CliError('OUTPUT', `cannot write ${label}: ${describeFileProblem(error, label, 'write')}`);
  }
  const count = Object.keys(servers).length;
  say(io, `wrote ${label}${count > 0 ? ` with ${count} MCP server${count > 1 ? 's' : ''}` : ''}`);
  for (const { server, where, variable } of secrets) {
    say(io, `${server}: ${where} looks like a secret and was not copied; set ${variable} in the environment`);
  }
  say(io, 'next: codeseam inspect');
  return EXIT.ok;
};

async function readServers(io: CliIo, path: string): Promise<Record<string, unknown>> {
  const { value } = readConfigFile(path, { folder: io.cwd, what: 'the file' });
  const { findMcpServers } = await import('@codeseam/mcp-client');
  const servers = findMcpServers(value);
  if (servers !== undefined) return servers;
  const isConfig = Array.isArray(value);
  throw new CliError(
    'INPUT',
    `${path} ${isConfig ? 'is a list of rows' : 'has no mcpServers'}: it should be like {"mcpServers": {"name": {"command": "..."}}}`,
    isConfig ? `as a config it is used as it is: --config ${path}` : undefined,
  );
}
