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

/** How many runs a contestant makes before the next one's turn. */
const BLOCK = 20;
const PAUSE_MS = 30;
/** As many times as many runs are made before the counted ones. */
const WARM_UP = 6;

/**
 * For work so short that other work in between decides its time: every contestant makes a block of runs in its turn.
 *
 * @returns the median of all runs but each block's first, and the median of the first ones, which find the processor's caches
 * full of other things and their threads asleep, after a pause. Milliseconds.
 */
export async function blockMedians<Names extends Contestants>(
  contestants: Names,
  rounds: number,
): Promise<{ readonly warm: Medians<Names>; readonly first: Medians<Names> }> {
  const names = Object.keys(contestants);
  const warm = new Map(names.map((name) => [name, [] as number[]]));
  const first = new Map(names.map((name) => [name, [] as number[]]));
  const blocks = Math.max(1, Math.ceil(rounds / BLOCK));
  // JavaScript and WebAssembly engines compile in steps; short work has seen all of them after some hundred runs.
  for (let block = -WARM_UP * blocks; block < blocks; block++) {
    for (const name of names) {
      // What the one before still does in the background, such as preparing its next instance, is its own.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      for (let run = 0; run < BLOCK; run++) {
        const start = performance.now();
        await contestants[name]!();
        if (block >= 0) (run === 0 ? first : warm).get(name)!.push(performance.now() - start);
      }
    }
  }
  const medians = (times: Map<string, number[]>) =>
    Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Medians<Names>;
  return { warm: medians(warm), first: medians(first) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
