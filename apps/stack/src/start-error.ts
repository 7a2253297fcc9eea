/**
 * A reason not to start that the person who started can correct: a bad variable, a port in use, a data folder
 * that cannot be written. Its message is one line that says what to change; it is printed without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
