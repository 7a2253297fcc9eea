/** What a token stands for. The core knows it only to pass it on. */
export interface TokenEntry {
  readonly accessor: string;
  /** Namespace that it was made in; empty for the root. */
  readonly namespace: string;
  readonly displayName: string;
  /** Names of its policies, in the wire's order. */
  readonly policies: readonly string[];
}

/** Somebody whom a secondary has authenticated, and whose write it passes on. */
export interface ForwardedCaller extends TokenEntry {
  /** Identifier of the secondary. */
  readonly secondary: string;
}

/** Whether a request came through a secondary. */
export function isForwarded(caller: TokenEntry | undefined): caller is ForwardedCaller {
  return caller !== undefined && 'secondary' in caller;
}

/** Which namespaces exist. */
export interface Namespaces {
  /** @param path with a slash at the end; empty for the root, which always exists */
  has(path: string): boolean;
}
