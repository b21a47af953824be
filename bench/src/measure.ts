// Timing: contestants in turn, round by round, so that whatever else the machine does meets all of them alike.

export type Contestants = Readonly<Record<string, () => Promise<unknown>>>;

export type Medians<Names extends Contestants> = { readonly [Name in keyof Names]: number };

/**
 * Runs every contestant once a round, in turn, and gives the median of each in milliseconds. A tenth of the rounds, and at
 * least two, are run first and not counted.
 */
export async function medianTimes<Names extends Contestants>(
  contestants: Names,
  rounds: number,
): Promise<Medians<Names>> {
  const names = Object.keys(contestants);
  const times = new Map(names.map((name) => [name, [] as number[]]));
  const warmUp = Math.max(2, Math.ceil(rounds / 10));
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const start = performance.now();
      await contestants[name]!();
      const ms = performance.now() - start;
      if (round >= 0) times.get(name)!.push(ms);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Medians<Names>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
