// The scheduler of one program's calls: who may run now.

/** `ordered`: strictly as submitted, exclusive by default. `parallel`: overlapping, exclusive only among the declared. */
export type LaneOrder = 'ordered' | 'parallel';

export interface LaneTask {
  readonly exclusive: boolean;
  /** Waits for its turn. Resolves `true` with a slot, `false` when the lane was closed or the task left before. */
  enter(): Promise<boolean>;
  /** Gives the slot back while the task waits for a person; its place in the order stays. */
  stepAside(): void;
  /** Ends the task, wherever it is. Idempotent. */
  leave(): void;
}

export interface DispatchLane {
  /** Adds a task behind all earlier ones. */
  add(exclusive: boolean): LaneTask;
  /** Lets nobody start any more. Idempotent. */
  close(): void;
  readonly running: number;
}

type Place = 'new' | 'waiting' | 'running' | 'aside' | 'left';

interface Entry {
  readonly exclusive: boolean;
  place: Place;
  admit?: (granted: boolean) => void;
}

/** Creates a lane with `maxInFlight` slots. */
export function createDispatchLane(order: LaneOrder, maxInFlight: number): DispatchLane {
  // In order of submission; a task that has left is no longer in it.
  const entries = new Set<Entry>();
  let running = 0;
  let exclusives = 0;
  let closed = false;

  const admit = (entry: Entry) => {
    entry.place = 'running';
    running++;
    if (entry.exclusive) exclusives++;
    entry.admit?.(true);
  };
  const mayStart = (entry: Entry) => {
    if (running >= maxInFlight) return false;
    if (order === 'parallel') return !entry.exclusive || exclusives === 0;
    return entry.exclusive ? running === 0 : exclusives === 0;
  };
  const pump = () => {
    if (closed) return;
    for (const entry of entries) {
      if (running >= maxInFlight) return;
      if (entry.place === 'running') continue;
      if (entry.place === 'waiting' && mayStart(entry)) admit(entry);
      // In order, whoever does not run holds up all behind him: waiting, aside with a person, or not yet at the door.
      else if (order === 'ordered') return;
    }
  };
  const release = (entry: Entry) => {
    running--;
    if (entry.exclusive) exclusives--;
  };

  return {
    get running() {
      return running;
    },
    add(exclusive) {
      const entry: Entry = { exclusive, place: 'new' };
      entries.add(entry);
      return {
        exclusive,
        enter() {
          if (closed || entry.place === 'left') return Promise.resolve(false);
          return new Promise<boolean>((resolve) => {
            entry.admit = resolve;
            entry.place = 'waiting';
            pump();
          });
        },
        stepAside() {
          if (entry.place !== 'running') return;
          entry.place = 'aside';
          release(entry);
          pump();
        },
        leave() {
          if (entry.place === 'left') return;
          const before = entry.place;
          entry.place = 'left';
          entries.delete(entry);
          if (before === 'running') release(entry);
          if (before === 'waiting') entry.admit?.(false);
          pump();
        },
      };
    },
    close() {
      closed = true;
      for (const entry of entries) if (entry.place === 'waiting') entry.admit?.(false);
    },
  };
}
