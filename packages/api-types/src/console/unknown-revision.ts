/**
 * The revision of a secret of which the caller may see nothing, not even its version: only a patch accepts it, which is
 * then sent without check-and-set.
 */
export const unknownRevision = '*';
