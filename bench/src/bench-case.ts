// What a benchmark case is. A file in `cases/` that default-exports one is part of the bench.

export interface BenchCase {
  /** As in the table: `P1`. */
  readonly id: string;
  readonly title: string;
  /** How many rounds a full bench takes, after warm-up. */
  readonly rounds: number;
  measure(settings: BenchSettings): Promise<BenchRow[]>;
}

export interface BenchSettings {
  readonly rounds: number;
}

/** One line of the table: a figure of ours beside those of the peer and of the floor, where there are such. */
export interface BenchRow {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  /** `run`, the nearest peer. */
  readonly peer?: number;
  /** The bare engine: the least that the work can cost without preparation. */
  readonly floor?: number;
  /** What to reach, in words. */
  readonly reach?: string;
  readonly reached?: boolean;
}
