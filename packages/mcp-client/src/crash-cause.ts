// What a process that ended said of why: one line out of its last ones.

const MAX_LENGTH = 300;

/** Pointers to the place, ends of printed objects, pointers to log files; lines that are indented go with one above. */
const AROUND =
  /^\s|^[\^~[\](){},]+$|^Node\.js v\d|^(?:node:|file:\/\/|\/|[A-Z]:\\)\S+:\d+$|^Traceback \(|^Require stack:|^note: run with|^goroutine \d|^npm (?:error|ERR!)(?: \d+)?$|A complete log of this run|^npm (?:warn|WARN|notice)/;

/** In order of trust: the first of these that any line fits is taken. `last` where the deepest cause comes at the end. */
const CAUSES: readonly { pattern: RegExp; pick: 'first' | 'last' }[] = [
  { pattern: /^(?:Uncaught )?(?:[A-Za-z_][\w.$]*)?(?:Error|Exception)\b(?: \[\w+\])?:/, pick: 'last' },
  { pattern: /^(?:Uncaught )?(?:[A-Za-z_][\w.$]*)?(?:Error|Exception)$/, pick: 'last' },
  { pattern: /^(?:thread '.*' )?panic(?:ked)?\b/, pick: 'last' },
  { pattern: /^npm (?:error|ERR!) (?!code |errno |syscall |network |path |dest )/, pick: 'first' },
  { pattern: /\b(?:error|fatal|panic)\b/i, pick: 'last' },
  {
    pattern:
      /\b(?:cannot|could not|can't|failed|failure|not found|no such|missing|required?|denied|invalid|refused|unknown|usage)\b/i,
    pick: 'last',
  },
];

/**
 * The line that says why, of the lines that a process printed before it ended: of a crash its error and not the end of
 * the stack, of a plain message the message. At most 300 characters; undefined where nothing was said.
 */
export function crashCause(lines: readonly string[]): string | undefined {
  const said = lines.map(oneLine);
  const all = said.flatMap((line, index) => (line === '' ? [] : [index]));
  const telling = all.filter((index) => !AROUND.test(withoutEscapes(lines[index]!)));
  for (const { pattern, pick } of CAUSES) {
    const fitting = telling.filter((index) => pattern.test(said[index]!));
    const found = pick === 'first' ? fitting[0] : fitting.at(-1);
    if (found !== undefined) return withMessage(found, said);
  }
  const last = telling.at(-1) ?? all.at(-1);
  return last === undefined ? undefined : said[last];
}

/** Some runtimes print the place first and the message on the next line. */
function withMessage(index: number, said: readonly string[]): string {
  const line = said[index]!;
  const next = said[index + 1];
  return next && /:\d+:$|^(?:Error|error|fatal):$/.test(line) ? oneLine(`${line} ${next}`) : line;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are control characters.
const ESCAPES = /\x1b\[[0-9;?]*[A-Za-z]/g;

function withoutEscapes(text: string): string {
  return text.slice(0, 4 * MAX_LENGTH).replaceAll(ESCAPES, '');
}

/** A text as one line of at most 300 characters, without a terminal's colours and other control characters. */
export function oneLine(text: string): string {
  const line = withoutEscapes(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}
