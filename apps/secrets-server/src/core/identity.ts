/** What a token stands for. The core knows it only to pass it on. */
export interface TokenEntry {
  readonly accessor: string;
  /** Namespace that it was made in; empty for the root. */
  readonly namespace: string;
  readonly displayName: string;
  /** Names of its policies, in the wire's order. */
  readonly policies: readonly string[];
}

/** Which namespaces exist. */
export interface Namespaces {
  /** @param path with a slash at the end; empty for the root, which always exists */
  has(path: string): boolean;
}
