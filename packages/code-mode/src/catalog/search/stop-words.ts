// Words of a question that say nothing of what is looked for.
const STOP_WORDS = new Set(
  `a about all an and any are as at be by can could do does for from give has have how i in into is it its let make me my need
   of on or our out please so some something that the their them then there these this those to tool tools up use using
   want was we what when where which who will with would you your`.split(/\s+/),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
