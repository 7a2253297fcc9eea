/** Messages between the page and the hashing worker. */
export interface HasherRequest {
  readonly file: Blob;
}

export type HasherAnswer =
  /** Bytes hashed so far. */
  | { readonly kind: 'progress'; readonly hashed: number }
  /** In hexadecimal. */
  | { readonly kind: 'done'; readonly sha256: string }
  | { readonly kind: 'failed'; readonly reason: string };
