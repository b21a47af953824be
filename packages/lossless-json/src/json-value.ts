/** A lossless JSON value: what may cross between a program and its host. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Containers nested deeper than this are refused by every function of the package. */
export const MAX_JSON_DEPTH = 10_000;
