/**
 * Stands where a record, a map or a list has no entry at all, so that "deleted" and "not there yet" are told apart
 * from `null`. A property that holds `undefined` counts as absent, as in JSON; no value handed out is `undefined`.
 */
export const absent: unique symbol = Symbol('absent');

/** The type of {@link absent}; `value === absent` narrows to it. */
export type Absent = typeof absent;
