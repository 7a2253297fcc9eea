/** What the page and the worker that hashes a file say to each other. */
export interface HasherRequest {
  readonly file: Blob;
}

export type HasherAnswer =
  /** Bytes so far. */
  | { readonly kind: 'progress'; readonly hashed: number }
  /** In hexadecimal. */
  | { readonly kind: 'done'; readonly sha256: string }
  | { readonly kind: 'failed'; readonly reason: string };
