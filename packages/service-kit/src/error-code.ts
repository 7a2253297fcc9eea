/**
 * The code that Node or a library gave an error, such as `ENOENT`. Of several errors, as of a name that has many addresses, it
 * is the first one's.
 */
export function errorCode(error: unknown): string | undefined {
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
