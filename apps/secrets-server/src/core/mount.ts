/** A mounted engine, or an auth method below `auth/`. */
export interface Mount {
  /** The row's number; 0 for a fixed mount. */
  readonly id: number;
  /** Ends with a slash; empty for the root. */
  readonly namespace: string;
  /** The path below the namespace, with a trailing slash: `secret/`, `auth/token/`. */
  readonly path: string;
  /** `kv`, `system`, `token`, `userpass` … */
  readonly type: string;
  readonly description: string;
  readonly accessor: string;
  readonly uuid: string;
  readonly options: Readonly<Record<string, string>> | null;
  readonly config: MountConfig;
  /** The plugin version that the mount is configured for; empty for a built-in plugin. */
  readonly pluginVersion: string;
  /** Whether the mount belongs only to this cluster and is not replicated. */
  readonly local: boolean;
}

/** The tunable settings of a mount; times in seconds, 0 for the system's default. */
export interface MountConfig {
  readonly defaultLeaseTtl: number;
  readonly maxLeaseTtl: number;
  readonly forceNoCache: boolean;
  /** `unauth` or `hidden`; empty if not set. */
  readonly listingVisibility: string;
}
