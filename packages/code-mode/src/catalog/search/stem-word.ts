// The stem of a word: what its forms have in common.
import { stemmer } from 'stemmer';

/** Words come again and again, and stemming costs more than looking up. */
const known = new Map<string, string>();
const MOST_KNOWN = 50_000;

/** Of an English word by Porter's rules, British spelling made American; other words mostly stay as they are. */
export function stemOf(word: string): string {
  let stem = known.get(word);
  if (stem === undefined) {
    stem = stemmer(american(word));
    if (known.size < MOST_KNOWN) known.set(word, stem);
  }
  return stem;
}

function american(word: string): string {
  if (word.length < 6) return word;
  return word
    .replace(/is(e[drs]?|ing|ations?)$/, 'iz$1')
    .replace(/(?<=[a-z]{3})our(s|ed|ing|ite|ites)?$/, 'or$1')
    .replace(/yse([drs])?$/, 'yze$1');
}
