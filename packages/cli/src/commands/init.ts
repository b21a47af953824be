// `codeseam init`: writes a commented cordis.yml, with the servers of another client's file if there is one.
import { existsSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { readConfigFile } from '@codeseam/cordis-loader';
import type { RunCommand } from '../command-line.ts';
import { CliError, EXIT, messageOf } from '../errors.ts';
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
  const { servers, secrets } = from === undefined ? { servers: {}, secrets: [] } : importServers(readServers(io, from));
  try {
    writeFileSync(out, configText(servers));
  } catch (error) {
    throw new CliError('OUTPUT', `cannot write ${label}: ${messageOf(error)}`);
  }
  const count = Object.keys(servers).length;
  say(io, `wrote ${label}${count > 0 ? ` with ${count} MCP server${count > 1 ? 's' : ''}` : ''}`);
  for (const { server, where, variable } of secrets) {
    say(io, `${server}: ${where} looks like a secret and was not copied; set ${variable} in the environment`);
  }
  say(io, 'next: codeseam inspect');
  return EXIT.ok;
};

function readServers(io: CliIo, path: string): Record<string, unknown> {
  const { value } = readConfigFile(resolve(io.cwd, path));
  const root = value as { mcpServers?: unknown; servers?: unknown } | null;
  const servers = root?.mcpServers ?? root?.servers;
  if (typeof servers === 'object' && servers !== null && !Array.isArray(servers))
    return servers as Record<string, unknown>;
  throw new CliError(
    'INPUT',
    `${path} has no mcpServers: it should be like {"mcpServers": {"name": {"command": "..."}}}`,
  );
}
