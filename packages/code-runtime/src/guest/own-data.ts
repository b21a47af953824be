// Reads what objects hold as data, without running a getter or a proxy's trap.
import { getOwnPropertyDescriptor, getPrototypeOf, hasOwn } from './intrinsics.ts';

const MOST_PROTOTYPES = 20;

/** Says what to show instead of looking into a value: for proxies, whose traps must not run. */
export type LabelOf = (value: object) => string | undefined;

/** The value of an own data property. */
export function ownData(target: object, key: PropertyKey): unknown {
  const property = getOwnPropertyDescriptor(target, key);
  return property !== undefined && hasOwn(property, 'value') ? property.value : undefined;
}

/** The string that an object or one of its prototypes holds as data; the nearest property decides. */
export function inheritedText(target: object, key: PropertyKey, labelOf: LabelOf): string | undefined {
  let at: object | null = target;
  for (let depth = 0; at !== null && depth < MOST_PROTOTYPES && labelOf(at) === undefined; depth++) {
    if (hasOwn(at, key)) {
      const value = ownData(at, key);
      return typeof value === 'string' ? value : undefined;
    }
    at = getPrototypeOf(at);
  }
  return undefined;
}

/** The name of an object's class, from the nearest prototype that names one; null for an object without prototype. */
export function className(target: object, labelOf: LabelOf): string | null {
  let at = getPrototypeOf(target);
  if (at === null) return null;
  for (let depth = 0; at !== null && depth < MOST_PROTOTYPES && labelOf(at) === undefined; depth++) {
    const maker = ownData(at, 'constructor');
    if (typeof maker === 'function' && labelOf(maker) === undefined) {
      const name = ownData(maker, 'name');
      if (typeof name === 'string' && name !== '') return name;
    }
    at = getPrototypeOf(at);
  }
  return 'Object';
}
