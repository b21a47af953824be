// What to do about errors that programs run into again and again.
import type { CodeRunFailure } from '@codeseam/code-runtime';

interface HintRule {
  pattern: RegExp;
  hint: string;
}

const RULES: readonly HintRule[] = [
  {
    pattern: /\b(?:fetch|XMLHttpRequest|WebSocket|axios|http|https)\b.* is not defined/,
    hint: 'programs have no network; await tools.search("fetch a web page") finds tools that do',
  },
  {
    pattern: /\b(?:process|__dirname|__filename|Buffer|global|module|exports)\b.* is not defined/,
    hint: 'this is no Node: there is no process, environment, Buffer or file system; tools do such work, and tools.search finds them',
  },
  {
    pattern: /\b(?:document|window|localStorage|navigator)\b.* is not defined/,
    hint: 'this is no browser: there is no document or window; tools.search finds tools that open pages',
  },
  {
    pattern: /\b(?:fs|path|os|child_process|execSync|spawn)\b.* is not defined/,
    hint: 'there are no Node modules; await tools.search("read a file") finds tools that work on files',
  },
  {
    pattern: /(?:print|puts|echo)\b.* is not defined/,
    hint: 'print with console.log(…), text(…) or json(…), or return the value',
  },
  {
    pattern: /is not iterable|not a function/,
    hint: 'look at the value first: return it unchanged (or json(value)), then write the next program for its real shape',
  },
  {
    pattern: /(?:cannot read|of undefined|of null)/i,
    hint: 'a value is not shaped as expected: return it unchanged, look, then go on in the next program',
  },
  {
    pattern: /await is only valid|reserved word.*await|expecting.*await/i,
    hint: 'await stands in async functions only: write async (x) => …, and await Promise.all(list.map(async …))',
  },
];

export function hintForGuestError(failure: CodeRunFailure): string | undefined {
  if (failure.kind === 'deadlock') {
    return 'something is awaited that nothing can settle: a promise without resolve, or an event that never comes';
  }
  return RULES.find(({ pattern }) => pattern.test(failure.message))?.hint;
}
