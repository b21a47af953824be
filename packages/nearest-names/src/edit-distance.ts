// The edit distance of two short strings, given up as soon as it is known to be too large.

const codeAt = Function.prototype.call.bind(String.prototype.charCodeAt) as (text: string, index: number) => number;
const { max, min } = Math;
const Row = Uint16Array;

/**
 * The number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string
 * alignment), or `most + 1` if there are more than `most`. Time is in proportion to the length times `most`.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (a.length > b.length) return editDistance(b, a, most);
  const tooFar = most + 1;
  if (b.length - a.length > most) return tooFar;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let cut = 0;
  while (cut < a.length - start && a[a.length - 1 - cut] === b[b.length - 1 - cut]) cut++;
  const rows = a.length - start - cut;
  const columns = b.length - start - cut;
  if (rows === 0) return columns > most ? tooFar : columns;

  // Only the band of cells at most `most` away from the diagonal can matter.
  let beforeLast = new Row(columns + 1);
  let last = new Row(columns + 1);
  let row = new Row(columns + 1);
  for (let j = 0; j <= columns; j++) last[j] = j;
  for (let i = 1; i <= rows; i++) {
    const first = max(i - most, 1);
    const end = min(i + most, columns);
    row[0] = i;
    if (first > 1) row[first - 1] = tooFar;
    let least = first > 1 ? tooFar : i;
    const unit = codeAt(a, start + i - 1);
    for (let j = first; j <= end; j++) {
      const other = codeAt(b, start + j - 1);
      let cost = last[j - 1]! + (unit === other ? 0 : 1);
      if (row[j - 1]! + 1 < cost) cost = row[j - 1]! + 1;
      if (j < i + most && last[j]! + 1 < cost) cost = last[j]! + 1;
      if (i > 1 && j > 1 && unit === codeAt(b, start + j - 2) && other === codeAt(a, start + i - 2)) {
        if (beforeLast[j - 2]! + 1 < cost) cost = beforeLast[j - 2]! + 1;
      }
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return tooFar;
    const free = beforeLast;
    beforeLast = last;
    last = row;
    row = free;
  }
  const distance = last[columns]!;
  return distance > most ? tooFar : distance;
}
