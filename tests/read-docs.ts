// The code blocks of README.md, docs/ and the packages' READMEs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './read-packages.ts';

export interface CodeBlock {
  file: string;
  /** Of its first line of code, from 1. */
  line: number;
  language: string;
  /** The rest of the fence's line. */
  info: string;
  text: string;
}

/** Every page that people read. */
export function pages(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name));
  const readmes = readdirSync(join(root, 'packages')).map((folder) => join('packages', folder, 'README.md'));
  return ['README.md', ...inFolder('docs'), ...readmes.filter((file) => existsSync(join(root, file)))];
}

/** The fenced blocks of a page, in order. */
export function codeBlocks(file: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; block: CodeBlock } | undefined;
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .forEach((line, index) => {
      const [, fence, language = '', info = ''] = /^\s*(`{3,})(\S*)\s*(.*)$/.exec(line) ?? [];
      if (open && line.trim() === open.fence) {
        blocks.push(open.block);
        open = undefined;
      } else if (open) {
        open.block.text += `${line}\n`;
      } else if (fence) {
        open = { fence, block: { file, line: index + 2, language, info, text: '' } };
      }
    });
  return blocks;
}
