import type { PathsFilter } from '../../store/replication/replication-store.ts';
import type { PrimaryIdentity, SecondaryCredentials } from '../link/types.ts';

/** What a cluster serves others by. */
export interface ServingRole {
  readonly identity: PrimaryIdentity;
  /** Where secondaries are told to reach it, `host:port`; empty for where it listens. */
  readonly clusterAddress: string;
  /** The port that it had at last, so that it is found there again. */
  readonly port: number;
}

/** A cluster whose writes others follow. */
export interface PrimaryRole extends ServingRole {
  readonly mode: 'primary';
  /** Of this cluster in replication; a UUID. */
  readonly clusterId: string;
  /** Base64: key of the digest that clusters of this replication set compare. */
  readonly digestKey: string;
}

/** A cluster that follows a primary, or that is to follow one. */
export interface SecondaryRole {
  readonly mode: 'secondary';
  readonly clusterId: string;
  readonly digestKey: string;
  /** Undefined when it has no primary: it was demoted, or was told to forget its own. */
  readonly credentials?: SecondaryCredentials;
  /** API address of its primary; empty when it is not known. */
  readonly primaryApiAddress: string;
  /** What its primary sends, as it was told with the last snapshot; undefined for everything. */
  readonly filter?: PathsFilter;
  readonly filterHash: string;
  /** The last that was heard of the primary: its newest entry, and when. */
  readonly heard?: { readonly seq: number; readonly time: number };
  /** A demoted primary keeps serving what it has. */
  readonly demoted?: ServingRole;
}

/** The part that a cluster has in replication. */
export type Role = { readonly mode: 'disabled' } | PrimaryRole | SecondaryRole;

/** Part of a cluster that has none. */
export const disabled: Role = { mode: 'disabled' };

/** Where others reach a cluster, and where it listens for them. */
export interface ClusterListener {
  readonly host: string;
  /** 0 for a free one, which is kept over restarts. */
  readonly port: number;
  /** Where secondaries are told to reach it, `host:port`, when that differs from where it listens. */
  readonly address?: string;
}
