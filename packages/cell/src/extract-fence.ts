// Takes a program out of a Markdown fence and the prose around it, leaving every line where it was.
import { tokenizer } from 'acorn';

export interface FencedProgram {
  /** The text with everything outside the fence blanked. */
  program: string;
  /** The first word after the opening fence, in lower case; empty if there is none. */
  label: string;
}

interface Block {
  label: string;
  /** The lines between the fences. */
  first: number;
  last: number;
}

const OPENING = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`]*$/;
const CODE_LABEL = /^(?:js|javascript|mjs|cjs|jsx|node|ts|typescript|mts|cts|tsx)$/;
const LONGEST_PROSE = 100_000;
const ONE_LINE = /^\s*(`{3,})(?:([\w+#.-]+)[ \t])?([^`\n]*)\1\s*$/;

/**
 * The program of a text that holds it in a fence, or null. With several fences those that are labelled as JavaScript or TypeScript
 * count, else those without a label, else the first one.
 */
export function extractFence(text: string): FencedProgram | null {
  if (!/```|~~~/.test(text)) return null;
  const single = ONE_LINE.exec(text);
  if (single) {
    const at = text.lastIndexOf(single[3]!);
    return { program: blankAround(text, at, at + single[3]!.length), label: (single[2] ?? '').toLowerCase() };
  }
  const lines = text.split('\n');
  const blocks = findBlocks(lines);
  if (blocks.length === 0 || isInsideProgram(lines, blocks[0]!)) return null;
  const chosen = choose(blocks);
  const program = lines.map((line, index) => (isInside(chosen, index) ? line : '')).join('\n');
  return { program, label: chosen[0]!.label };
}

function findBlocks(lines: string[]): Block[] {
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index++) {
    const opening = OPENING.exec(lines[index]!);
    if (!opening) continue;
    const fence = opening[1]!;
    const first = index + 1;
    index = first;
    while (index < lines.length && !closes(lines[index]!, fence)) index++;
    blocks.push({ label: opening[2]!.toLowerCase(), first, last: index - 1 });
  }
  return blocks;
}

function closes(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence[0]!.repeat(text.length);
}

function choose(blocks: Block[]): Block[] {
  const labelled = blocks.filter((block) => CODE_LABEL.test(block.label));
  if (labelled.length > 0) return labelled;
  const plain = blocks.filter((block) => block.label === '');
  return plain.length > 0 ? plain : blocks.slice(0, 1);
}

function isInside(blocks: Block[], index: number): boolean {
  return blocks.some((block) => index >= block.first && index <= block.last);
}

/** Whether the fence stands in a comment or template of a program, which the text before it leaves open. */
function isInsideProgram(lines: string[], block: Block): boolean {
  const before = lines.slice(0, block.first - 1).join('\n');
  if (before.trim() === '' || before.length > LONGEST_PROSE) return false;
  try {
    for (const token of tokenizer(before, { ecmaVersion: 'latest' })) void token;
    return false;
  } catch (error) {
    return /^Unterminated (?:comment|template)/.test((error as Error).message);
  }
}

function blankAround(text: string, start: number, end: number): string {
  const blank = (part: string) => part.replace(/[^\r\n]/g, ' ');
  return blank(text.slice(0, start)) + text.slice(start, end) + blank(text.slice(end));
}
