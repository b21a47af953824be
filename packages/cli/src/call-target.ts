// The tool that a person means on the command line: every form in which our own output names tools is taken.
import { convenienceNames, mcpCatalogs } from '@codeseam/code-mode';
import { describeMcp } from '@codeseam/mcp-dts';
import { nearestNames } from '@codeseam/nearest-names';
import type { Tool, ToolView } from '@codeseam/tools';

const MOST_SUGGESTIONS = 3;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u;
const MEMBER =
  /^\s*(?:\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)|\[\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\])/u;
const ARGUMENTS = /^\s*\([\s\S]*\)\s*;?\s*$/;

/** Finds tools of one view by any of their names. */
export class CallTargets {
  private readonly view: ToolView;
  /** By the ways in which programs call them, as JSON of the steps: `["MCP","everything","getSum"]`. */
  private readonly byPath = new Map<string, Tool>();
  /** The same as programs write them: `MCP.everything.getSum`. */
  private readonly paths = new Map<string, Tool>();

  constructor(view: ToolView) {
    this.view = view;
    const mcp = describeMcp(mcpCatalogs(view));
    const identifiers = new Map(mcp.servers.map(({ server, identifier }) => [server, identifier]));
    for (const tool of view.tools.filter(({ source }) => source === 'mcp')) {
      const path = mcp.pathOf(tool.owner, tool.name);
      const servers = [tool.owner, identifiers.get(tool.owner) ?? tool.owner];
      for (const server of servers) this.know(['MCP', server, tool.name], tool);
      if (path === undefined) continue;
      this.know(path, tool);
      this.paths.set(path.join('.'), tool);
    }
    const own = view.tools.filter(({ source }) => source !== 'mcp');
    for (const [member, id] of convenienceNames(own)) {
      const tool = view.find(id)!;
      this.know(['tools', member], tool);
      this.paths.set(`tools.${member}`, tool);
    }
  }

  /**
   * By registry name, wire name, unambiguous plain name, or the call of a program: `tools.readFile`,
   * `tools["mcp__files__read"]`, `MCP.files.readFile`, `MCP.files['read-file']`, `tools.callValue("host:core:read")`.
   */
  find(ref: string): Tool | undefined {
    const text = ref.trim();
    const known = this.view.find(text);
    if (known) return known;
    const steps = stepsOf(text);
    if (steps === undefined) return undefined;
    const found = this.byPath.get(JSON.stringify(steps));
    if (found) return found;
    // The SDK of run_code has every tool under its wire name; `call` and its kin take an id.
    return steps[0] === 'tools' && steps.length === 2 ? this.view.find(steps[1]!) : undefined;
  }

  /** Up to three names that a wrong one may mean, in the form in which it was written. */
  suggest(ref: string): string[] {
    const isPath = stepsOf(ref.trim()) !== undefined && /[.[]/.test(ref);
    const known = new Map<string, Tool>(this.paths);
    for (const tool of this.view.tools) for (const name of [tool.id, tool.wireName, tool.name]) known.set(name, tool);
    const near = nearestNames(ref.trim(), known.keys(), 3 * MOST_SUGGESTIONS).map((name) => known.get(name)!);
    const pathOf = (tool: Tool) => [...this.paths].find(([, other]) => other === tool)?.[0];
    return [...new Set(near)].slice(0, MOST_SUGGESTIONS).map((tool) => (isPath && pathOf(tool)) || tool.id);
  }

  private know(steps: readonly string[], tool: Tool): void {
    const key = JSON.stringify(steps);
    if (!this.byPath.has(key)) this.byPath.set(key, tool);
  }
}

/** `MCP.files['read-file']` as its steps; undefined for what is no path. */
function stepsOf(text: string): string[] | undefined {
  const wanted = text.replace(/^(?:return\s+)?(?:await\s+)?/, '');
  const byId = /^tools\.(?:call|callValue|describe)\(\s*(["'])(.+?)\1/.exec(wanted);
  if (byId) return ['tools', byId[2]!];
  const first = IDENTIFIER.exec(wanted)?.[0];
  if (first === undefined) return undefined;
  const steps = [first];
  let rest = wanted.slice(first.length);
  for (let member = MEMBER.exec(rest); member; member = MEMBER.exec(rest)) {
    steps.push(member[1] ?? unescaped(member[2] ?? member[3] ?? ''));
    rest = rest.slice(member[0].length);
  }
  return rest.trim() === '' || ARGUMENTS.test(rest) ? steps : undefined;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}
