import type { CredentialType } from '../credential/credential.ts';
import type { libraryType } from '../vault-store/library.ts';

/** Kinds of targets. */
export const targetTypes = ['tcp', 'ssh', 'rdp'] as const;
export type TargetType = (typeof targetTypes)[number];

/** Prefixes of targets' ids, by type. */
export const targetPrefixes: Readonly<Record<TargetType, string>> = { tcp: 'ttcp', ssh: 'tssh', rdp: 'trdp' };

/** Ports that a type has of itself; a tcp target must be given one. */
export const typePorts: Readonly<Record<TargetType, number | null>> = { tcp: null, ssh: 22, rdp: 3389 };

/** Lifetime of a session in seconds, unless set: eight hours. */
export const defaultSessionMaxSeconds = 28_800;
/** Connections in a session, unless set. */
export const unlimitedConnections = -1;

/** What depends on a target's type. */
export interface TargetAttributes {
  /** Port of the endpoint, 1–65535. Null only until a new tcp target was checked. */
  readonly defaultPort: number | null;
  /** Port on which a client listens by preference. */
  readonly defaultClientPort: number | null;
  /** Where recordings go; ssh alone, empty when unset. */
  readonly storageBucketId: string;
  /** ssh alone. */
  readonly enableSessionRecording: boolean;
}

/** A set of hosts that a target offers. */
export interface HostSource {
  readonly id: string;
  readonly hostCatalogId: string;
}

/** What credentials are for: three kinds of sources that a target has. */
export const credentialPurposes = ['application', 'brokered', 'injected_application'] as const;
export type CredentialPurpose = (typeof credentialPurposes)[number];

/** A credential, or a library that issues credentials, that a target offers. */
export interface CredentialSource {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly storeId: string;
  /** Of a credential the type of its store, of a library its own. */
  readonly type: 'static' | typeof libraryType;
  /** Empty for a library that issues whatever it is given. */
  readonly credentialType: CredentialType | '';
}

/** The credential sources of a target, each list sorted by id. */
export type CredentialSources = Readonly<Record<CredentialPurpose, readonly CredentialSource[]>>;

/** Those of a new target. */
export const noCredentialSources: CredentialSources = {
  application: [],
  brokered: [],
  injected_application: [],
};

/** A named network resource that sessions are opened to. */
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
  /** Seconds, above 0. */
  readonly sessionMaxSeconds: number;
  /** -1 is no limit. */
  readonly sessionConnectionLimit: number;
  /** Deprecated; excludes the two others. */
  readonly workerFilter: string;
  readonly egressWorkerFilter: string;
  readonly ingressWorkerFilter: string;
  /** Empty when the endpoint comes from host sources. */
  readonly address: string;
  readonly attributes: TargetAttributes;
  /** Sorted by id. */
  readonly hostSources: readonly HostSource[];
  readonly credentialSources: CredentialSources;
}

/** Fields to set. A missing one stays (or gets its default in a new target); null clears it. */
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
