/** Something mounted at a path: an engine under its name, an auth method under `auth/`. */
export interface Mount {
  /** The row's number; 0 for what is built in. */
  readonly id: number;
  /** Empty for the root, else with a slash at the end. */
  readonly namespace: string;
  /** Below the namespace, with a slash at the end: `secret/`, `auth/token/`. */
  readonly path: string;
  /** `kv`, `system`, `token`, `userpass` … */
  readonly type: string;
  readonly description: string;
  readonly accessor: string;
  readonly uuid: string;
  readonly options: Readonly<Record<string, string>> | null;
  readonly config: MountConfig;
  /** Version of the plugin that it is configured for; empty for what is built in. */
  readonly pluginVersion: string;
  /** Belongs to this cluster alone: replication leaves it out. */
  readonly local: boolean;
}

/** What can be tuned of a mount; times in seconds, 0 for the system's own. */
export interface MountConfig {
  readonly defaultLeaseTtl: number;
  readonly maxLeaseTtl: number;
  readonly forceNoCache: boolean;
  /** `unauth` or `hidden`; empty when not set. */
  readonly listingVisibility: string;
}
