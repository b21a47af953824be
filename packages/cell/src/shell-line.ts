// Recognises shell commands where a program was expected.
import { parseBody } from './parse-body.ts';

const SHELL_LABEL = /^(?:sh|bash|zsh|fish|shell|shellscript|console|terminal|powershell|ps1|pwsh|cmd|bat)$/;

const LONGEST_COMMAND = 20_000;

const COMMANDS = new Set(
  (
    'apt apt-get awk bash brew bun cargo cat cd chmod chown cmake cp curl deno df diff docker docker-compose du echo env find gcc gh git ' +
    'go grep gzip head jq kill kubectl less ln ls make mkdir mv node npm npx ping pip pip3 pnpm ps pwd python python3 rg rm rsync rustc scp sed sh ' +
    'ssh sudo tail tar tee terraform touch uname uniq unzip wc wget which whoami xargs yarn zip'
  ).split(' '),
);

/** The shell command that a text is, or undefined. `label` is that of the fence it came in. */
export function findShellLine(text: string, label = ''): string | undefined {
  const command = text.trim();
  if (SHELL_LABEL.test(label) || /^#!.*\b(?:ba|z)?sh\b/.test(command)) return command;
  const first = command.split('\n').find((line) => line.trim() !== '' && !/^\s*#/.test(line));
  if (first === undefined) return undefined;
  const words = /^\s*(?:\$\s+)?(?:[A-Z_][A-Z0-9_]*=\S*\s+)*([\w.-]+)(?=\s|$)(.*)$/.exec(first);
  if (!words || !COMMANDS.has(words[1]!)) return undefined;
  // `echo = 1` and `find (x)` are JavaScript that went wrong, not a shell.
  if (/^\s*(?:[=(.,]|[-+*/&|]=|=>)/.test(words[2]!)) return undefined;
  if (text.length > LONGEST_COMMAND) return undefined;
  const parsed = parseBody(text);
  if (!parsed.ok) return command;
  // A command can be an expression too: `pwd`, `ls -la`. With nothing else in the program it can only be meant as a command.
  const [only, ...others] = parsed.tree.body;
  const isExpression =
    only?.type === 'ExpressionStatement' && /^(?:Identifier|BinaryExpression)$/.test(only.expression.type);
  return isExpression && others.length === 0 ? command : undefined;
}
