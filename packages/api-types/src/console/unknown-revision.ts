/** The revision of a secret whose version the caller can't see. Only a patch accepts it, and sends no check-and-set. */
export const unknownRevision = '*';
