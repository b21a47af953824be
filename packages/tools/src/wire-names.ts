// Names for the wire: at most 64 characters of [A-Za-z0-9_-], unique in a view, the same whatever the order of registration.
import { createHash } from 'node:crypto';
import type { Steps } from '@codeseam/schema-types';
import { compareText } from './identity.ts';
import { STEP } from './run-in-slices.ts';
import type { ToolSource } from './types.ts';

const MAX_LENGTH = 64;
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

export interface NamedTool {
  readonly id: string;
  readonly source: ToolSource;
  readonly owner: string;
  readonly name: string;
}

/** `mcp__<owner>__<name>` or `<owner>__<name>`, before it is made fit for the wire. */
export function qualifiedName(tool: NamedTool): string {
  return tool.source === 'mcp' ? `mcp__${tool.owner}__${tool.name}` : `${tool.owner}__${tool.name}`;
}

/** Makes any text fit for the wire; a text that had to be changed carries a hash of itself, so that two never meet. */
export function fitForWire(text: string): string {
  return PLAIN.test(text) ? text : withHash(text, text);
}

interface FittedNames {
  readonly plain: string;
  readonly qualified: string;
}

const fitted = new WeakMap<NamedTool, FittedNames>();

/** Made once for a tool: views of thousands are built again at every change. */
function fittedNames(tool: NamedTool): FittedNames {
  let names = fitted.get(tool);
  if (!names) {
    names = { plain: fitForWire(tool.name), qualified: fitForWire(qualifiedName(tool)) };
    fitted.set(tool, names);
  }
  return names;
}

/**
 * Gives each tool of a view its wire name. MCP tools are always qualified with their server; others keep their plain
 * name where it is alone, and a client's tool keeps it in any case. Names that would still meet get a hash of the id.
 */
export function* assignWireNames(tools: readonly NamedTool[]): Steps<Map<string, string>> {
  const byName = new Map<string, number>();
  const clientNames = new Set<string>();
  for (const { source, name } of tools) {
    if (source === 'client') clientNames.add(name);
    else if (source !== 'mcp') byName.set(name, (byName.get(name) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  const first = new Map<string, NamedTool>();
  const contests = new Map<string, NamedTool[]>();
  for (const [at, tool] of tools.entries()) {
    if (at % STEP === 0) yield;
    const { plain, qualified } = fittedNames(tool);
    const isPlain =
      tool.source === 'client' || (tool.source !== 'mcp' && byName.get(tool.name) === 1 && !clientNames.has(tool.name));
    const name = isPlain ? plain : qualified;
    const other = first.get(name);
    if (!other) {
      first.set(name, tool);
      names.set(tool.id, name);
      continue;
    }
    const claimants = contests.get(name);
    if (claimants) claimants.push(tool);
    else contests.set(name, [other, tool]);
  }
  yield;
  if (contests.size > 0) settle(contests, names);
  return names;
}

function onlyOne(claimants: readonly NamedTool[], source: ToolSource): NamedTool | undefined {
  const claiming = claimants.filter((tool) => tool.source === source);
  return claiming.length === 1 ? claiming[0] : undefined;
}

/** Leaves a name to whoever has the better claim, and gives the others a hashed one that nobody has, in the order of their ids. */
function settle(contests: ReadonlyMap<string, readonly NamedTool[]>, names: Map<string, string>): void {
  const losers: { tool: NamedTool; wanted: string }[] = [];
  for (const [wanted, claimants] of contests) {
    const keeper = onlyOne(claimants, 'mcp') ?? onlyOne(claimants, 'client');
    for (const tool of claimants) {
      if (tool === keeper) names.set(tool.id, wanted);
      else {
        names.delete(tool.id);
        losers.push({ tool, wanted });
      }
    }
  }
  const taken = new Set(names.values());
  for (const { tool, wanted } of losers.sort((a, b) => compareText(a.tool.id, b.tool.id))) {
    let name = withHash(wanted, tool.id);
    for (let salt = 1; taken.has(name); salt++) name = withHash(wanted, `${salt} ${tool.id}`);
    taken.add(name);
    names.set(tool.id, name);
  }
}

function withHash(text: string, hashed: string): string {
  const hash = createHash('sha256').update(hashed).digest('hex').slice(0, 10);
  const readable = text.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, MAX_LENGTH - hash.length - 1);
  return `${readable}_${hash}`;
}

/** Another name for a tool whose own is taken on the wire, by a control tool for one. */
export function alternateName(tool: NamedTool, isTaken: (name: string) => boolean): string {
  const qualified = fitForWire(qualifiedName(tool));
  if (!isTaken(qualified)) return qualified;
  let name = withHash(qualified, tool.id);
  for (let salt = 1; isTaken(name); salt++) name = withHash(qualified, `${salt} ${tool.id}`);
  return name;
}
