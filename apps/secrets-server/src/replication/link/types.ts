// apps/secrets-server/src/replication/link/types.ts  (H2 owns this file; H3 codes against it; change it only together)
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { PathsFilter, ReplicationStore } from '#store/replication/replication-store.ts';

/** A certificate with its private key, both PEM. */
export interface KeyPair { readonly cert: string; readonly key: string }

/** What a cluster needs so that others can follow it. JSON; kept sealed by the caller. */
export interface PrimaryIdentity { readonly clusterId: string; readonly authority: KeyPair }

/** What a secondary was given by its activation. JSON; kept sealed by the caller. */
export interface SecondaryCredentials {
  /** The opaque identifier that it was activated under. */
  readonly id: string;
  readonly primaryClusterId: string;
  /** PEM of the primary's CA. */
  readonly authority: string;
  readonly client: KeyPair;
  /** Cluster addresses of the primary, `host:port`. */
  readonly addresses: readonly string[];
  /** Base64: key of the digest that clusters of this replication set compare. */
  readonly digestKey: string;
}

/** Makes a CA for a primary. */
export declare function createIdentity(clusterId: string): Promise<PrimaryIdentity>;
/** Issues a secondary's credentials. @param days how long its certificate holds */
export declare function issueCredentials(identity: PrimaryIdentity, secondary: { id: string; addresses: readonly string[]; digestKey: string }): Promise<SecondaryCredentials>;

/** Activation tokens. */
export interface ActivationClaims { readonly addr: string; readonly jti: string; readonly exp: number; readonly iat: number }
export declare function signActivation(claims: ActivationClaims, key: Uint8Array): string;          // JWT HS256
export declare function readActivation(token: string): ActivationClaims | undefined;                 // unverified: only its holder's primary can verify
export declare function createActivationKeys(): { publicKey: string; privateKey: string };           // X25519, base64
export declare function encryptFor(publicKey: string, credentials: SecondaryCredentials & { readonly exp: number }): string;
export declare function decryptWith(privateKey: string, token: string): (SecondaryCredentials & { readonly exp: number }) | undefined;

/** What is known on a primary of a cluster that was activated. */
export interface SecondaryRecord {
  readonly id: string;
  /** Of the cluster that used the activation; undefined before its first connection. */
  readonly clusterId: string | undefined;
  readonly apiAddress: string;
  readonly clusterAddress: string;
  /** Last entry it said it had, and when (ms since the epoch). Undefined before its first report. */
  readonly appliedSeq: number | undefined;
  readonly lastHeartbeat: number | undefined;
}

/** What the caller of `servePrimary` knows and keeps. */
export interface SecondaryBook {
  get(id: string): SecondaryRecord | undefined;   // undefined: unknown or revoked → PermissionDenied
  save(record: SecondaryRecord): Promise<void>;
  filter(record: SecondaryRecord): PathsFilter | undefined;
}

/** A write that a secondary passes on. */
export interface ForwardedRequest { readonly namespace: string; readonly method: string; /** path below /v1/ with its query */ readonly path: string; readonly body: string; readonly contentType: string | undefined; readonly policies: readonly string[]; readonly displayName: string; /** Namespace that the caller's token is of, which its policies are of. */ readonly callerNamespace: string; /** Seconds for which the secondary wraps the answer; 0 when it does not. Only for authorizing. */ readonly wrapTtl: number }
// (07:54: entityNote was replaced by callerNamespace and wrapTtl)
export interface ForwardedAnswer { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string; /** The primary's last entry when it answered. */ readonly seq: number }

/** A connected or known secondary as the primary sees it. Undefined is unknown. */
export interface SecondaryState extends SecondaryRecord {
  readonly connected: boolean;
  readonly connectedSince: number | undefined;
  readonly lastHeartbeatDurationMs: number | undefined;
  /** Its clock less ours. */
  readonly clockSkewMs: number | undefined;
  /** Entries that it does not have yet. */
  readonly lagEntries: number | undefined;
  /** Age in ms of the newest entry that it has, while it lacks any; 0 once it has all and said so by a heartbeat. */
  readonly canaryAgeMs: number | undefined;
  readonly whole: boolean | undefined;
}

export interface ServeOptions {
  readonly identity: PrimaryIdentity;
  readonly host: string; readonly port: number;      // 0: any
  readonly store: ReplicationStore;
  readonly book: SecondaryBook;
  readonly standing: 'primary' | 'demoted';
  readonly forward: (secondary: SecondaryRecord, request: ForwardedRequest) => Promise<ForwardedAnswer>;
  readonly clock: Clock; readonly log: Log;
  readonly heartbeatMs?: number;
}
export interface Serving {
  readonly port: number;
  secondaries(): readonly SecondaryState[];           // connected ones; the caller adds the known rest
  /** Ends a secondary's stream: it was revoked, or its filter changed and it starts over. */
  disconnect(id: string): void;
  /** From now on it answers as demoted and takes no forwarded write; streams stay until they are at the last entry, and go on serving whoever comes. */
  demote(): void;
  close(): Promise<void>;
}
export declare function servePrimary(options: ServeOptions): Promise<Serving>;

export interface FollowState {
  readonly connection: 'connecting' | 'ready' | 'disconnected' | 'denied';
  /** `snapshot` while one is received, `stream` after. */
  readonly sync: 'idle' | 'snapshot' | 'stream';
  readonly why: string | undefined;                   // of the last failure, for people
  readonly address: string | undefined;               // in use
  readonly connectedSince: number | undefined;
  readonly primaryStanding: 'primary' | 'demoted' | undefined;
  readonly primarySeq: number | undefined;            // as last heard
  readonly lastHeartbeat: number | undefined;
  readonly lastHeartbeatDurationMs: number | undefined;
  readonly clockSkewMs: number | undefined;
  readonly lagEntries: number | undefined;
  readonly canaryAgeMs: number | undefined;
  readonly lostWrites: number;                        // found since it follows
}
export interface FollowOptions {
  readonly credentials: SecondaryCredentials;
  readonly own: () => { readonly clusterId: string; readonly apiAddress: string; readonly clusterAddress: string };
  /** Hash of the filter that the last whole snapshot was taken under; kept by the caller through `onFilter`. */
  readonly filterHash: string;
  readonly onFilter: (filter: PathsFilter | undefined, hash: string) => Promise<void>;
  readonly onLost: (count: number) => Promise<void>;
  readonly store: ReplicationStore;
  readonly clock: Clock; readonly log: Log;
  readonly heartbeatMs?: number; readonly retryMs?: { readonly first: number; readonly most: number };
}
export interface Following {
  state(): FollowState;
  /** Waits until the answer's entries are here (at most `waitMs`). @throws NoPrimary when it cannot be reached */
  forward(request: ForwardedRequest): Promise<ForwardedAnswer>;
  close(): Promise<void>;
}
export declare function follow(options: FollowOptions): Following;

export interface PingAnswer { readonly address: string; readonly standing: 'primary' | 'demoted'; readonly clusterId: string; readonly seq: number }
/** Asks addresses one at a time; the first that answers. Undefined when none did. */
export declare function ping(credentials: SecondaryCredentials, addresses: readonly string[], timeoutMs: number): Promise<PingAnswer | undefined>;
