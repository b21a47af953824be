// Words of a question that say nothing of what is looked for.
const STOP_WORDS = new Set(
  `a about again all an and any anything are as at be been by can could do does done each every everything for from give
   has have here how i if in into is it its just last latest let like me more most much my need no not now of off on once one or
   other our out over please said say says so some someone something still than that the their them then there these they thing
   this those to too tool tools up us use using very want was way we were what whats when where which while who whom whose why will with would yet you your`.split(
    /\s+/,
  ),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
