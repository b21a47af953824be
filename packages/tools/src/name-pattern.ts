// Patterns over tool ids and names, as restrictions and policies have them.

/**
 * Compiles a pattern in which `*` stands for characters within one segment. Segments are divided by `:` in ids and by
 * `.` in dotted names; a `*` at the very end stands for everything that follows, and `*` alone for everything.
 *
 * `a.*` matches `a.b` and `a.b.c` but not `ab`; `a.*.x` matches `a.b.x` but not `a.b.c.x`; `mcp:github:*` is a server.
 * Matching is linear in the text.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  if (pattern === '*') return () => true;
  if (!pattern.includes('*')) return (text) => text === pattern;
  const open = pattern.endsWith('*');
  const pieces = (open ? pattern.slice(0, -1) : pattern).split('*');
  return (text) => matchPieces(text, pieces, open);
}

/** Each gap between pieces may not hold a separator; leftmost matches are enough as gaps only grow to the right. */
function matchPieces(text: string, pieces: readonly string[], open: boolean): boolean {
  if (!text.startsWith(pieces[0]!)) return false;
  // Positions at which what was matched so far may end, ascending.
  let ends = [pieces[0]!.length];
  for (const piece of pieces.slice(1)) {
    ends = continueWith(text, piece, ends);
    if (ends.length === 0) return false;
  }
  // An open end needs at least one character: `a.*` is not `a.`.
  return open ? ends[0]! < text.length : ends[ends.length - 1] === text.length;
}

function continueWith(text: string, piece: string, ends: readonly number[]): number[] {
  const next: number[] = [];
  let reach = -1;
  for (const end of ends) {
    if (end <= reach) continue;
    for (let at = end; at <= text.length; at++) {
      reach = at;
      if (text.startsWith(piece, at)) next.push(at + piece.length);
      if (text[at] === ':' || text[at] === '.') break;
    }
  }
  return next;
}

/** Whether any of the texts matches any of the patterns. */
export function matchesAny(matchers: readonly ((text: string) => boolean)[], texts: readonly string[]): boolean {
  return matchers.some((matches) => texts.some(matches));
}
