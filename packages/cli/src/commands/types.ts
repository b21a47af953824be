// `codeseam types`: the declarations of MCP tools as files, for people and editors.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { readConfigFile } from '@codeseam/cordis-loader';
import { describeMcp, type McpServerCatalog, parseCatalogs, type VirtualFile } from '@codeseam/mcp-dts';
import type { CommandArguments, RunCommand } from '../command-line.ts';
import { CliError, EXIT, messageOf } from '../errors.ts';
import { type CliIo, say } from '../io.ts';
import { CLI_SCOPE, withHost } from '../open-host.ts';

export const run: RunCommand = async (args, io) => {
  if (args.has('server') && !args.has('from')) throw new CliError('USAGE', '--server needs --from');
  if (args.has('from') && args.has('config')) throw new CliError('USAGE', 'give --config or --from, not both');
  const { files } = describeMcp(await readCatalogs(args, io));
  const out = args.text('out');
  if (out !== undefined) writeFiles(io, out, files);
  else if (!args.has('check')) printFiles(io, files);
  return args.has('check') ? await check(io, files) : EXIT.ok;
};

async function readCatalogs(args: CommandArguments, io: CliIo): Promise<McpServerCatalog[]> {
  const from = args.text('from');
  if (from !== undefined) return readFrom(io, from, args.text('server'));
  return await withHost(io, { config: args.text('config') }, async (host) => {
    const { mcpCatalogs } = await import('@codeseam/code-mode');
    const catalogs = mcpCatalogs(host.tools().view(CLI_SCOPE));
    if (catalogs.length === 0) say(io, `${host.label} has no MCP tools`);
    return catalogs;
  });
}

function readFrom(io: CliIo, path: string, server: string | undefined): McpServerCatalog[] {
  const { value } = readConfigFile(resolve(io.cwd, path));
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
      throw new CliError('OUTPUT', `cannot write ${join(out, path)}: ${messageOf(error)}`);
    }
  }
  say(io, `wrote ${files.length} files to ${out}`);
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
