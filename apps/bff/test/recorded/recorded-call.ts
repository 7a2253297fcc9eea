/** A value that must not be in the trail. */
export const canary = 'canary-value';

/** A call of an operation, with its expected entry in the trail. */
export interface RecordedCall {
  /** A valid body with the canary in every value that can contain it; absent for none. */
  readonly body?: object;
  /** The ID of its record; `own session` for the caller's. Empty unless given. */
  readonly record?: string;
  /** The expected paths of the body. None unless given. */
  readonly paths?: readonly string[];
}
