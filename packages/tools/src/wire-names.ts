// Names for the wire: at most 64 characters of [A-Za-z0-9_-], unique in a view, the same whatever the order of registration.
import { createHash } from 'node:crypto';
import { compareText } from './identity.ts';
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

/**
 * Gives each tool of a view its wire name. MCP tools are always qualified with their server; others keep their plain
 * name where it is alone, and a client's tool keeps it in any case. Names that would still meet get a hash of the id.
 */
export function assignWireNames(tools: readonly NamedTool[]): Map<string, string> {
  const byName = new Map<string, number>();
  for (const tool of tools) {
    if (tool.source === 'host' || tool.source === 'plugin') byName.set(tool.name, (byName.get(tool.name) ?? 0) + 1);
  }
  const clientNames = new Set(tools.filter((tool) => tool.source === 'client').map((tool) => tool.name));
  const wanted = new Map<string, string>();
  const claims = new Map<string, NamedTool[]>();
  for (const tool of tools) {
    const plain =
      tool.source === 'client' || (tool.source !== 'mcp' && byName.get(tool.name) === 1 && !clientNames.has(tool.name));
    const name = fitForWire(plain ? tool.name : qualifiedName(tool));
    wanted.set(tool.id, name);
    const claim = claims.get(name);
    if (claim) claim.push(tool);
    else claims.set(name, [tool]);
  }
  const names = new Map<string, string>();
  const contested: NamedTool[] = [];
  for (const [name, claimants] of claims) {
    const keeper = claimants.length === 1 ? claimants[0]! : (onlyOne(claimants, 'mcp') ?? onlyOne(claimants, 'client'));
    if (keeper) names.set(keeper.id, name);
    contested.push(...claimants.filter((tool) => tool !== keeper));
  }
  if (contested.length > 0) settle(contested, wanted, names);
  return names;
}

function onlyOne(claimants: readonly NamedTool[], source: ToolSource): NamedTool | undefined {
  const claiming = claimants.filter((tool) => tool.source === source);
  return claiming.length === 1 ? claiming[0] : undefined;
}

/** Gives contested tools a hashed name that nobody has, in the order of their ids. */
function settle(contested: NamedTool[], wanted: Map<string, string>, names: Map<string, string>): void {
  const taken = new Set([...names.values()]);
  for (const tool of contested.sort((a, b) => compareText(a.id, b.id))) {
    let name = withHash(wanted.get(tool.id)!, tool.id);
    for (let salt = 1; taken.has(name); salt++) name = withHash(wanted.get(tool.id)!, `${salt} ${tool.id}`);
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
