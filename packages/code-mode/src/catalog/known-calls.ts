// The calls that there are, by the names that somebody may give them: for suggestions where a name is wrong.
import { nearestNames } from '@codeseam/nearest-names';
import type { Steps } from '@codeseam/schema-types';
import { STEP } from '@codeseam/tools';
import type { Catalog } from './catalog.ts';

/** Names compared between two yields. */
const CHUNK = 200;

export class KnownCalls {
  /** The path of an MCP tool by each of its spellings (wire name, id, path, `server.tool`), folded. */
  readonly #spellings = new Map<string, string>();
  /** The path of an MCP tool whose name no other has, folded; '' where several have it. */
  readonly #names = new Map<string, string>();
  /** The paths of MCP tools by their last part. */
  readonly #members = new Map<string, string[]>();

  static *collect(catalog: Catalog): Steps<KnownCalls> {
    const calls = new KnownCalls();
    for (const [at, tool] of catalog.mcpTools.entries()) {
      if (at % STEP === 0) yield;
      const path = catalog.callPath(tool);
      if (path === undefined) continue;
      for (const spelling of [tool.wireName, tool.id, path, `${tool.owner}.${tool.name}`]) {
        const key = foldName(spelling);
        if (!calls.#spellings.has(key)) calls.#spellings.set(key, path);
      }
      const name = foldName(tool.name);
      calls.#names.set(name, calls.#names.has(name) ? '' : path);
      const member = path.slice(path.lastIndexOf('.') + 1);
      const paths = calls.#members.get(member);
      if (paths) paths.push(path);
      else calls.#members.set(member, [path]);
    }
    return calls;
  }

  /** The MCP tool of this spelling, whatever its case and separators. */
  spelled(name: string): string | undefined {
    return this.#spellings.get(foldName(name));
  }

  /** The one MCP tool that a text names, with its server or without. */
  named(text: string): string | undefined {
    return this.spelled(text) ?? (this.#names.get(foldName(text)) || undefined);
  }

  members(): Iterable<string> {
    return this.#members.keys();
  }

  pathsOf(member: string): readonly string[] {
    return this.#members.get(member) ?? [];
  }
}

/** As `nearestNames`, in steps. */
export function* nearestInSteps(wanted: string, known: readonly string[], limit: number): Steps<string[]> {
  let best: string[] = [];
  for (let at = 0; at < known.length; at += CHUNK) {
    // The best so far come first, so that the earlier of equals stays.
    best = nearestNames(wanted, [...best, ...known.slice(at, at + CHUNK)], limit);
    yield;
  }
  return best;
}

/** A name without case and separators. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
