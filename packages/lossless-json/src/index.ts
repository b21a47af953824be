/** A lossless JSON value: what may cross between a program and its host. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
