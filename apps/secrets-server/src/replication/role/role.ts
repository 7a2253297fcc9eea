import type { PathsFilter } from '../../store/replication/replication-store.ts';
import type { PrimaryIdentity, SecondaryCredentials } from '../link/types.ts';

/** The settings with which a cluster serves others. */
export interface ServingRole {
  readonly identity: PrimaryIdentity;
  /** The cluster address given to secondaries, `host:port`; empty for the address it listens on. */
  readonly clusterAddress: string;
  /** The last port used, which is reused so that secondaries can find it. */
  readonly port: number;
}

/** A cluster that secondaries follow. */
export interface PrimaryRole extends ServingRole {
  readonly mode: 'primary';
  /** The cluster's replication ID, a UUID. */
  readonly clusterId: string;
  /** The key of the replication set's digests, in base64. */
  readonly digestKey: string;
}

/** A cluster that follows a primary or waits for one. */
export interface SecondaryRole {
  readonly mode: 'secondary';
  readonly clusterId: string;
  readonly digestKey: string;
  /** Undefined without a primary: after a demotion, or after the primary was forgotten. */
  readonly credentials?: SecondaryCredentials;
  /** The API address of the primary; empty if unknown. */
  readonly primaryApiAddress: string;
  /** The filter of the last snapshot; undefined if everything is received. */
  readonly filter?: PathsFilter;
  readonly filterHash: string;
  /** The primary's newest known entry, and the time of that heartbeat. */
  readonly heard?: { readonly seq: number; readonly time: number };
  /** The settings with which a demoted primary continues to serve its entries. */
  readonly demoted?: ServingRole;
}

/** A cluster's role in replication. */
export type Role = { readonly mode: 'disabled' } | PrimaryRole | SecondaryRole;

export const disabled: Role = { mode: 'disabled' };

/** The addresses of a cluster's port. */
export interface ClusterListener {
  readonly host: string;
  /** 0 for a free port, which is kept across restarts. */
  readonly port: number;
  /** The cluster address given to secondaries, `host:port`, if it differs from the one it listens on. */
  readonly address?: string;
}
