import { ProblemError } from '#ground/problem.ts';

/**
 * The revision of an `If-Match` header, which contains exactly one strong entity tag (RFC 9110, 8.8.3).
 * @throws ProblemError `revision-required` without one, `invalid-request` if it is malformed
 */
export function readRevision(header: string | undefined): string {
  if (header === undefined || header.trim() === '') {
    throw new ProblemError(
      'revision-required',
      'Send the revision you read in the If-Match header, in double quotes.',
    );
  }
  const match = /^\s*"([\x21\x23-\x7e]{1,200})"\s*$/.exec(header);
  if (match?.[1] === undefined) {
    throw new ProblemError('invalid-request', 'If-Match must contain one revision in double quotes.');
  }
  return match[1];
}
