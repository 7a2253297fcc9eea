import type { CredentialType } from '../credential/credential.ts';
import type { libraryType } from '../vault-store/library.ts';

export const targetTypes = ['tcp', 'ssh', 'rdp'] as const;
export type TargetType = (typeof targetTypes)[number];

/** Prefixes of target IDs, by type. */
export const targetPrefixes: Readonly<Record<TargetType, string>> = { tcp: 'ttcp', ssh: 'tssh', rdp: 'trdp' };

/** The default port of each type; a tcp target requires one. */
export const typePorts: Readonly<Record<TargetType, number | null>> = { tcp: null, ssh: 22, rdp: 3389 };

/** The default lifetime of a session, in seconds: eight hours. */
export const defaultSessionMaxSeconds = 28_800;
/** The default number of connections in a session. */
export const unlimitedConnections = -1;

/** The fields that depend on a target's type. */
export interface TargetAttributes {
  /** The endpoint's port, 1–65535. Null only in a tcp target that hasn't been checked yet. */
  readonly defaultPort: number | null;
  /** The port that a client should listen on. */
  readonly defaultClientPort: number | null;
  /** Where recordings are stored; only for ssh, empty if unset. */
  readonly storageBucketId: string;
  /** Only for ssh. */
  readonly enableSessionRecording: boolean;
}

/** A host set of a target. */
export interface HostSource {
  readonly id: string;
  readonly hostCatalogId: string;
}

/** How a credential source is used. */
export const credentialPurposes = ['application', 'brokered', 'injected_application'] as const;
export type CredentialPurpose = (typeof credentialPurposes)[number];

/** A credential or a credential library of a target. */
export interface CredentialSource {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly storeId: string;
  /** The type of a credential's store, or of a library. */
  readonly type: 'static' | typeof libraryType;
  /** Empty for a library without a credential type, which returns the server's answer as it is. */
  readonly credentialType: CredentialType | '';
}

/** A target's credential sources, each list sorted by ID. */
export type CredentialSources = Readonly<Record<CredentialPurpose, readonly CredentialSource[]>>;

export const noCredentialSources: CredentialSources = {
  application: [],
  brokered: [],
  injected_application: [],
};

/** A named network resource that users open sessions to. */
export interface Target {
  readonly id: string;
  readonly projectId: string;
  readonly type: TargetType;
  readonly name: string;
  readonly description: string;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  /** Milliseconds since the epoch. */
  readonly updatedTime: number;
  /** Counts changes, from 1. */
  readonly version: number;
  /** In seconds, above 0. */
  readonly sessionMaxSeconds: number;
  /** -1 means no limit. */
  readonly sessionConnectionLimit: number;
  /** Deprecated; excludes the two other filters. */
  readonly workerFilter: string;
  readonly egressWorkerFilter: string;
  readonly ingressWorkerFilter: string;
  /** Empty if the endpoint comes from host sources. */
  readonly address: string;
  readonly attributes: TargetAttributes;
  /** Sorted by id. */
  readonly hostSources: readonly HostSource[];
  readonly credentialSources: CredentialSources;
}

/** Fields to set. A missing field keeps its value, or gets its default in a new target; null clears it. */
export interface TargetChange {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly address?: string | null;
  readonly sessionMaxSeconds?: number | null;
  readonly sessionConnectionLimit?: number | null;
  readonly workerFilter?: string | null;
  readonly egressWorkerFilter?: string | null;
  readonly ingressWorkerFilter?: string | null;
  readonly defaultPort?: number | null;
  readonly defaultClientPort?: number | null;
  readonly storageBucketId?: string | null;
  readonly enableSessionRecording?: boolean | null;
}
