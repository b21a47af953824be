// What to do about errors that programs run into again and again.
import type { CodeFailureKind } from '@codeseam/code-runtime';
import type { Steps } from '@codeseam/schema-types';
import type { Catalog } from '../catalog/catalog.ts';
import { type MissedPlace, nearCalls } from '../catalog/near-calls.ts';
import { HABIT_RULES, type HintRule, missing } from './habit-rules.ts';

const RULES: readonly HintRule[] = [
  ...HABIT_RULES,
  {
    pattern: missing('fetch|XMLHttpRequest|WebSocket|EventSource|axios|got|https?'),
    hint: 'programs have no network; await tools.search("fetch a web page") finds tools that do',
  },
  {
    pattern: missing('process|__dirname|__filename|Buffer|global|module|exports|require|Deno|Bun'),
    hint: 'this is no Node: there is no process, environment, Buffer or file system; tools do such work, and tools.search finds them',
  },
  {
    pattern: missing('fs|fsp|os|path|child_process|exec|execSync|spawn|readFile|readFileSync|writeFile|writeFileSync'),
    hint: 'there are no Node modules; await tools.search("read a file") finds tools that work on files and commands',
  },
  {
    pattern: missing('document|window|localStorage|sessionStorage|navigator|alert|location'),
    hint: 'this is no browser: there is no document or window; await tools.search("open a page") finds tools that have one',
  },
  {
    pattern: missing('print|puts|echo|printf|output'),
    hint: 'print with console.log(…), text(…) or json(…), or return the value',
  },
  {
    // `await (x)` and `await [x]` are expressions of a variable where await is no keyword.
    pattern: missing('await'),
    hint: 'await is only possible in an async function: write async before that function, and await what it returns',
  },
  {
    pattern: missing('None|True|False|len|str|range|dict|enumerate|isinstance|sorted|zip'),
    hint: 'this is JavaScript, not Python: null, true, false, x.length, String(x), for (const [i, x] of xs.entries())',
  },
  {
    pattern: missing('setInterval|setImmediate'),
    hint: 'loop and wait: for (;;) { …; await new Promise((done) => setTimeout(done, 1000)) }',
  },
  {
    pattern: /^TypeError: (MCP\.[\w$]+) has no member/,
    hint: ([, server]) => `await ${server}.$api() gives the declarations of all its tools`,
  },
  {
    pattern: /^TypeError: MCP has no member/,
    hint: (_, _call, { mcp }) => `${nameServers(mcp.servers)}; await API.list("mcp") lists their declaration files`,
  },
  {
    pattern: /^TypeError: tools has no member/,
    hint: 'await tools.search("what you need") finds tools; a tool whose name is no identifier is called with tools.callValue(id, { … })',
  },
  {
    pattern: /^TypeError: (?:API|results|namespaces)(?:\.[\w$]+)* has no member/,
    hint: 'there are API.list(prefix?), API.read(path) and results.read(ref, { offset, limit })',
  },
  {
    pattern: /not a function|of undefined|of null/,
    program: /\bAPI\.read\s*\(/,
    hint: 'API.read gives { path, content, description, bytes }: the text is in content',
  },
  {
    pattern: /not a function|of undefined|of null|is not iterable/,
    program: /\bMCP\./,
    hint: 'an MCP call gives { content, structuredContent?, isError? }: return it unchanged, look, then go on in the next program',
  },
  {
    pattern: /not a function|of undefined|of null|is not iterable/,
    program: /\bAPI\.list\s*\(/,
    hint: 'API.list gives { files: [{ path, description, bytes }] }',
  },
  {
    pattern: /not a function|of undefined|of null|is not iterable/,
    program: /\btools\b/,
    hint: 'a value is not shaped as expected: return the result unchanged, look, then go on in the next program',
  },
];

/** @param error the error's text as the result shows it, its name first. */
export function* hintForGuestError(
  kind: CodeFailureKind,
  error: string,
  { code, catalog }: { code: string; catalog: Catalog },
): Steps<string | undefined> {
  if (kind === 'deadlock') {
    return 'something is awaited that nothing can settle: a promise whose resolve is never called, for one';
  }
  const missed = missedName(error);
  const near = missed ? yield* nearCalls(missed.name, missed.place, catalog) : [];
  const meant = near.length === 0 ? undefined : `did you mean ${near.join(', ')}?`;
  for (const { pattern, program: wanted, hint, alone } of RULES) {
    const found = pattern.exec(error);
    if (!found || !(wanted?.test(code) ?? true)) continue;
    const told = typeof hint === 'string' ? hint : hint(found, yield* namedCall(code, catalog), catalog);
    return meant === undefined || alone ? told : `${meant} ${told}`;
  }
  return meant;
}

/** More servers than this are not worth the words. */
const MOST_SERVERS = 8;

function nameServers(servers: Catalog['mcp']['servers']): string {
  if (servers.length === 0) return 'no MCP server has tools here';
  if (servers.length > MOST_SERVERS) return 'Object.keys(MCP) lists the servers';
  return `the servers are ${servers.map(({ identifier }) => `MCP.${identifier}`).join(', ')}`;
}

/** Strings of a program that may name a tool. */
const MOST_STRINGS = 8;

/** How a program calls the tool that it names in a string. */
function* namedCall(program: string, catalog: Catalog): Steps<string | undefined> {
  yield* catalog.prepareCalls();
  const strings = [...program.matchAll(/(["'`])([^"'`\n]{2,120})\1/g)].slice(0, MOST_STRINGS);
  for (const [, , text] of strings) {
    const call = catalog.calls.named(text!);
    if (call !== undefined) return call;
  }
  return undefined;
}

/** The server that was looked for among the members of `MCP`. */
export function missedServer(error: string): string | undefined {
  return /^TypeError: MCP has no member "([^"]{1,200})"/.exec(error)?.[1];
}

/** The name that was looked for and is not there, and where. */
function missedName(error: string): { name: string; place: MissedPlace } | undefined {
  const member = /^TypeError: (tools|MCP) has no member "([^"]{1,200})"/.exec(error);
  if (member) return { name: member[2]!, place: member[1] as MissedPlace };
  const variable = /^ReferenceError: ['"]?([\w$]{1,200})['"]? is not defined/.exec(error);
  return variable ? { name: variable[1]!, place: 'variable' } : undefined;
}

/** What to do about a nested call that failed, by its code. */
export function hintForFailedCall(code: string | undefined): string | undefined {
  switch (code) {
    case 'INVALID_ARGS':
      return 'the call was not made: correct its arguments; what earlier calls did stands';
    case 'DENIED':
      return 'a policy or a person refused this call; do not repeat it unchanged';
    case 'APPROVAL_REQUIRED':
      return 'this call needs a person’s approval, and nobody can be asked here';
    case 'UNKNOWN_TOOL':
      return 'await tools.search("what you need") finds the tools that are there now';
    case 'INVALID_TOOL_OUTPUT':
      return 'the tool did its work but gave what it should not: its effects may stand, so do not simply repeat it';
    default:
      return undefined;
  }
}

/** The engine does not say what is no function; the program does, at that place. */
export function nameCallee(program: string, line: number | undefined, column: number | undefined): string {
  const text = line === undefined ? undefined : program.split('\n')[line - 1];
  if (text === undefined || column === undefined) return 'not a function';
  const before = /[\w$.\])]*$/.exec(text.slice(0, column - 1))![0];
  const after = /^[\w$]*/.exec(text.slice(column - 1))![0];
  const callee = (before + after).replace(/^[.\])]+/, '');
  return callee === '' || callee.length > 80 ? 'not a function' : `${callee} is not a function`;
}
