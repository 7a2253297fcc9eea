/**
 * Marks a missing entry in a record, map or list, to distinguish "deleted" and "not there yet" from `null`. A property
 * with the value `undefined` counts as absent, as in JSON; no returned value is `undefined`.
 */
export const absent: unique symbol = Symbol('absent');

/** The type of {@link absent}; `value === absent` narrows to it. */
export type Absent = typeof absent;
