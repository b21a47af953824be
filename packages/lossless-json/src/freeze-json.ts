// Deep freezing of JSON data.
import { freeze, isArray, objectKeys, RealSet, setAdd, setHas } from './intrinsics.ts';
import type { JsonValue } from './json-value.ts';

interface FreezeFrame {
  readonly outer: FreezeFrame | null;
  readonly source: { readonly [key: string | number]: JsonValue };
  readonly keys: string[] | null;
  readonly length: number;
  next: number;
}

/** Freezes a JSON value and everything in it, in place and iteratively; gives the same value. */
export function freezeJson<T extends JsonValue>(value: T): T {
  const seen: Set<object> = new RealSet();
  let frame: FreezeFrame | null = null;
  let current: JsonValue = value;
  for (;;) {
    if (typeof current === 'object' && current !== null && !setHas(seen, current)) {
      setAdd(seen, current);
      freeze(current);
      const keys: string[] | null = isArray(current) ? null : objectKeys(current);
      const length: number = keys === null ? (current as JsonValue[]).length : keys.length;
      frame = { outer: frame, source: current as never, keys, length, next: 0 };
    }
    while (frame !== null && frame.next === frame.length) frame = frame.outer;
    if (frame === null) return value;
    const index: number = frame.next++;
    current = frame.source[frame.keys === null ? index : frame.keys[index]!]!;
  }
}
