/**
 * The code that Node or a library gave an error, such as `ENOENT`. For an aggregate error, such as for a name with many
 * addresses, it is the first error's.
 */
export function errorCode(error: unknown): string | undefined {
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
