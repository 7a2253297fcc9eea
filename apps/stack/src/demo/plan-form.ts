/** How a target is reached. */
export type TargetType = 'tcp' | 'ssh' | 'rdp';

/** What is kept for people in a project's store. */
export type PlannedCredential = { readonly name: string; readonly what: string } & (
  | { readonly type: 'username_password'; readonly username: string }
  | { readonly type: 'username_password_domain'; readonly username: string; readonly domain: string }
  | { readonly type: 'password' }
  | { readonly type: 'ssh_private_key'; readonly username: string }
  | { readonly type: 'json'; readonly keys: readonly string[] }
);

/** A system of a project: each becomes one target a region, and one for each further copy. */
export interface System {
  readonly name: string;
  readonly what: string;
  readonly type?: TargetType;
  readonly port: number;
  /** Several of a kind, such as replicas; 1 unless given. */
  readonly copies?: number;
  /** The copies are hosts of one set, and one target leads to whichever is chosen. */
  readonly pooled?: boolean;
  /** Runs in the first region alone. */
  readonly central?: boolean;
  /** Names of the project's credentials: handed to the person, put into the session, or used by programs. */
  readonly brokered?: readonly string[];
  readonly injected?: readonly string[];
  readonly application?: readonly string[];
}

/** A project of the sample company. */
export interface PlannedProject {
  readonly name: string;
  readonly description: string;
  /** Name of its credential store. */
  readonly store: string;
  readonly credentials: readonly PlannedCredential[];
  readonly systems: readonly System[];
}

/** An organisation of the sample company. */
export interface PlannedOrganisation {
  readonly name: string;
  readonly description: string;
  readonly projects: readonly PlannedProject[];
}
