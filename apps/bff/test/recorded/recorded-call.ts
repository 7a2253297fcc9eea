/** A value that must not be in the trail. */
export const canary = 'canary-value';

/** A call of an operation, and what the trail says of it. */
export interface RecordedCall {
  /** A body that the operation accepts, with the canary in every value that may be one; left out for none. */
  readonly body?: object;
  /** The id of the record that it is about; `own session` for the caller's. Empty unless given. */
  readonly record?: string;
  /** What is said of the body. Nothing unless given. */
  readonly paths?: readonly string[];
}
