// The global names that a request gives its program, as the guest is told them.
import type { CheckedSurroundings } from './check-request.ts';
import type { LimitTable } from './resolve-limits.ts';

export interface GuestNames {
  /** Each class once, however many namespaces have it. */
  readonly errors: readonly { readonly name: string; readonly property: string }[];
  /** `error` is the place of the namespace's class among `errors`, or -1. */
  readonly namespaces: readonly { readonly global: string; readonly error: number }[];
  /** Of plain data. */
  readonly globals: readonly string[];
}

export function guestNames({
  namespaces,
  globals,
}: Pick<CheckedSurroundings<LimitTable>, 'namespaces' | 'globals'>): GuestNames {
  const errors: { name: string; property: string }[] = [];
  const placeOf = (error: { name: string; memberNameProperty: string } | undefined): number => {
    if (!error) return -1;
    const known = errors.findIndex((it) => it.name === error.name);
    return known === -1 ? errors.push({ name: error.name, property: error.memberNameProperty }) - 1 : known;
  };
  return {
    namespaces: namespaces.map(({ global, errorClass }) => ({ global, error: placeOf(errorClass) })),
    errors,
    globals: [...globals.keys()],
  };
}

/** All names that a request takes on the global object. */
export function takenNames({ errors, namespaces, globals }: GuestNames): string[] {
  return [...namespaces.map((it) => it.global), ...errors.map((it) => it.name), ...globals];
}
