/**
 * A start failure that the user can correct: an invalid variable, a port in use, a data folder that can't be written.
 * Its message is one line that says what to change, and is printed without a stack trace.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
