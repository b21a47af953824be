// `codeseam search`: finds tools as a program's `tools.search` does.
import type { RunCommand } from '../command-line.ts';
import { EXIT } from '../errors.ts';
import { say, writeJson } from '../io.ts';
import { noToolsHint } from '../no-tools.ts';
import { CLI_SCOPE, type Host, withHost } from '../open-host.ts';

export const run: RunCommand = async (args, io) => {
  const options = { config: args.text('config'), check: (host: Host) => void host.codeMode() };
  return await withHost(io, options, async (host) => {
    const limit = args.number('limit');
    const options = { scope: CLI_SCOPE, ...(limit !== undefined && { limit }) };
    const { entries, total } = await host.codeMode().search(args.positionals[0]!, options);
    if (args.has('json')) {
      writeJson(io, { entries, total });
      return EXIT.ok;
    }
    for (const entry of entries) {
      io.stdout.write(`${entry.callPath ?? entry.id}\n    ${firstLine(entry.description)}\n`);
    }
    if (total > entries.length) say(io, `${total - entries.length} more; --limit shows more of them`);
    if (total === 0) {
      const isEmpty = host.tools().view(CLI_SCOPE).tools.length === 0;
      say(
        io,
        isEmpty ? `${host.label} has no tools: ${noToolsHint(host)}` : 'nothing found; other words may find more',
      );
    }
    return EXIT.ok;
  });
};

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
