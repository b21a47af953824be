// The stems of a text: what the forms of its words have in common.
import { stemmer } from 'stemmer';
import { runsOf, splitRun } from './split-words.ts';

/** Words come again and again, and taking one apart costs more than looking it up. */
const MOST_KNOWN = 50_000;
const LONGEST_KNOWN = 40;
const known = new Map<string, readonly string[]>();

/** Of an English word by Porter's rules, British spelling made American; other words mostly stay as they are. */
export function stemOf(word: string): string {
  return stemmer(american(word));
}

/** All stems of a text, in its order. */
export function stemsOf(text: string): string[] {
  const stems: string[] = [];
  forEachStem(text, (stem) => stems.push(stem));
  return stems;
}

export function forEachStem(text: string, take: (stem: string) => void): void {
  for (const run of runsOf(text)) {
    let stems = known.get(run);
    if (!stems) {
      stems = splitRun(run).map(stemOf);
      if (known.size < MOST_KNOWN && run.length <= LONGEST_KNOWN) known.set(run, stems);
    }
    for (const stem of stems) take(stem);
  }
}

function american(word: string): string {
  if (word.length < 6) return word;
  return word
    .replace(/is(e[drs]?|ing|ations?)$/, 'iz$1')
    .replace(/(?<=[a-z]{3})our(s|ed|ing|ite|ites)?$/, 'or$1')
    .replace(/yse([drs])?$/, 'yze$1');
}
