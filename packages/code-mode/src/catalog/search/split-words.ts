// Splits names and prose of any language into words, for the index and for queries alike.

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const RUNS = /[\p{L}\p{N}\p{M}]+/gu;
/** `getHTTPUrl2` holds get, HTTP, Url and 2. */
const HUMPS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu;
const MARKS = /\p{M}+/gu;
/** Words are cut here: nobody searches for the tail of a longer one. */
const MAX_WORD = 40;

/** Lower case, accents folded; identifiers give their parts and, where there are several, the whole as well. */
export function splitWords(text: string): string[] {
  return runsOf(text).flatMap(splitRun);
}

/** Runs of letters and digits, as they stand in a text. */
export function runsOf(text: string): string[] {
  return text.match(RUNS) ?? [];
}

/** The words of one run. */
export function splitRun(run: string): string[] {
  const words: string[] = [];
  if (CJK.test(run)) pairs(run, words);
  else humps(run, words);
  return words;
}

function humps(run: string, words: string[]): void {
  const parts = run.match(HUMPS) ?? [run];
  for (const part of parts) words.push(fold(part));
  if (parts.length > 1) words.push(fold(run));
}

/** Scripts without spaces are indexed by neighbouring pairs of characters. */
function pairs(run: string, words: string[]): void {
  for (const part of run.split(/([\p{Script=Latin}\p{N}]+)/u)) {
    if (part === '') continue;
    if (!CJK.test(part)) {
      humps(part, words);
      continue;
    }
    const chars = [...part.normalize('NFKC').toLowerCase()];
    if (chars.length === 1) words.push(chars[0]!);
    for (let index = 1; index < chars.length; index++) words.push(chars[index - 1]! + chars[index]!);
  }
}

function fold(word: string): string {
  return word.normalize('NFKD').replace(MARKS, '').toLowerCase().slice(0, MAX_WORD);
}
