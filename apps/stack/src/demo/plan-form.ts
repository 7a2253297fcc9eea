/** The protocol of a target. */
export type TargetType = 'tcp' | 'ssh' | 'rdp';

/** A static credential of a project. */
export type PlannedCredential = { readonly name: string; readonly what: string } & (
  | { readonly type: 'username_password'; readonly username: string }
  | { readonly type: 'username_password_domain'; readonly username: string; readonly domain: string }
  | { readonly type: 'password' }
  | { readonly type: 'ssh_private_key'; readonly username: string }
  | { readonly type: 'json'; readonly keys: readonly string[] }
);

/** A system of a project. Each becomes one target per region, and one more for each further copy. */
export interface System {
  readonly name: string;
  readonly what: string;
  readonly type?: TargetType;
  readonly port: number;
  /** The number of copies, such as replicas; 1 by default. */
  readonly copies?: number;
  /** Whether the copies are hosts of one set, with a single target. */
  readonly pooled?: boolean;
  /** Whether the system runs only in the first region. */
  readonly central?: boolean;
  /** Names of the project's credentials: brokered to the user, injected into the session, or used by programs. */
  readonly brokered?: readonly string[];
  readonly injected?: readonly string[];
  readonly application?: readonly string[];
}

export interface PlannedProject {
  readonly name: string;
  readonly description: string;
  /** The name of its credential store. */
  readonly store: string;
  readonly credentials: readonly PlannedCredential[];
  readonly systems: readonly System[];
}

export interface PlannedOrganization {
  readonly name: string;
  readonly description: string;
  readonly projects: readonly PlannedProject[];
}
