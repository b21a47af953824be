// `codeseam types`: the declarations of MCP tools as files, for people and editors.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { describeFileProblem, readConfigFile } from '@codeseam/cordis-loader';
import { describeMcp, type McpServerCatalog, parseCatalogs, type VirtualFile } from '@codeseam/mcp-dts';
import type { CommandArguments, RunCommand } from '../command-line.ts';
import { CliError, EXIT, messageOf } from '../errors.ts';
import { type CliIo, say } from '../io.ts';
import { mcpServersOf } from '../mcp-servers-of.ts';
import { noToolsHint } from '../no-tools.ts';
import { CLI_SCOPE, type Host, withHost } from '../open-host.ts';

export const run: RunCommand = async (args, io) => {
  if (args.has('server') && !args.has('from')) throw new CliError('USAGE', '--server needs --from');
  if (args.has('from') && args.has('config')) throw new CliError('USAGE', 'give --config or --from, not both');
  const { catalogs, missing } = await readCatalogs(args, io);
  const { files } = catalogs.length === 0 ? { files: [] } : describeMcp(catalogs);
  const out = args.text('out');
  if (out !== undefined) writeFiles(io, out, files);
  else if (!args.has('check')) printFiles(io, files);
  const code = args.has('check') ? await check(io, files) : EXIT.ok;
  if (missing.length === 0) return code;
  say(io, `incomplete: ${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} no declarations`);
  return EXIT.programFailed;
};

interface Catalogs {
  catalogs: McpServerCatalog[];
  /** Servers that did not start, and so are not in the catalogs. */
  missing: string[];
}

async function readCatalogs(args: CommandArguments, io: CliIo): Promise<Catalogs> {
  const from = args.text('from');
  if (from !== undefined) return { catalogs: readFrom(io, from, args.text('server')), missing: [] };
  const options = { config: args.text('config'), check: (host: Host) => void host.tools() };
  return await withHost(io, options, async (host) => {
    const { mcpCatalogs } = await import('@codeseam/code-mode');
    const catalogs = mcpCatalogs(host.tools().view(CLI_SCOPE));
    if (catalogs.length === 0) say(io, `${host.label} has no MCP tools: ${noToolsHint(host)}`);
    const missing = mcpServersOf(host.ctx)
      .flatMap((servers) => servers.status())
      .filter(({ state }) => state !== 'connected' && state !== 'disabled')
      .map(({ name }) => name);
    return { catalogs, missing };
  });
}

function readFrom(io: CliIo, path: string, server: string | undefined): McpServerCatalog[] {
  const { value } = readConfigFile(path, { folder: io.cwd, what: 'the file' });
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, 'mcpServers')) {
    throw new CliError(
      'INPUT',
      `${path} says how servers are started, not what tools they have`,
      `codeseam types --config ${path} starts them and asks`,
    );
  }
  try {
    return parseCatalogs(value, { server: server ?? basename(path, extname(path)) });
  } catch (error) {
    throw new CliError('INPUT', `${path}: ${messageOf(error)}`, (error as { hint?: string }).hint);
  }
}

function printFiles(io: CliIo, files: readonly VirtualFile[]): void {
  for (const { path, content } of files) io.stdout.write(`// ${path}\n${content}\n`);
}

function writeFiles(io: CliIo, out: string, files: readonly VirtualFile[]): void {
  for (const { path, content } of files) {
    // Paths are made of identifiers by the generator, never taken from a server.
    const target = join(resolve(io.cwd, out), path);
    try {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    } catch (error) {
      const file = join(out, path);
      throw new CliError('OUTPUT', `cannot write ${file}: ${describeFileProblem(error, file, 'write')}`);
    }
  }
  say(io, `wrote ${files.length} ${files.length === 1 ? 'file' : 'files'} to ${out}`);
}

async function check(io: CliIo, files: readonly VirtualFile[]): Promise<number> {
  const { compileDeclarations } = await import('@codeseam/mcp-dts/check');
  const { ok, failed, anyCount } = await compileDeclarations(files);
  for (const { path, errors } of failed) {
    for (const { line, column, message } of errors) say(io, `${path}:${line}:${column}: ${message}`);
  }
  say(
    io,
    ok ? `${files.length} files compile under tsc --strict, ${anyCount} any` : `${failed.length} files do not compile`,
  );
  return ok ? EXIT.ok : EXIT.programFailed;
}
