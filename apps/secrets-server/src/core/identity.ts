/** An authenticated caller, as far as the core needs it. */
export interface TokenEntry {
  readonly accessor: string;
  /** The namespace that the token was created in; empty for the root. */
  readonly namespace: string;
  readonly displayName: string;
  /** Names of the token's policies, in the order of answers. */
  readonly policies: readonly string[];
}

/** A caller whom a secondary has authenticated and whose write it forwards. */
export interface ForwardedCaller extends TokenEntry {
  /** The secondary's ID. */
  readonly secondary: string;
  /** Whose turns the write takes among the secondary's. */
  readonly owner: string;
}

export function isForwarded(caller: TokenEntry | undefined): caller is ForwardedCaller {
  return caller !== undefined && 'secondary' in caller;
}

export interface Namespaces {
  /** @param path with a trailing slash; empty for the root, which always exists */
  has(path: string): boolean;
}
