import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { PathsFilter, Position, ReplicationStore } from '#store/replication/replication-store.ts';
import type { RetryPauses } from './retry.ts';

/** A certificate with its private key, both in PEM format. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A primary's authority, for serving secondaries. JSON; the caller stores it sealed. */
export interface PrimaryIdentity {
  readonly clusterId: string;
  readonly authority: KeyPair;
}

/** A secondary's credentials from its activation. JSON; the caller stores them sealed. */
export interface SecondaryCredentials {
  /** The opaque ID of the activation. */
  readonly id: string;
  readonly primaryClusterId: string;
  /** The certificate of the primary's authority in PEM format. */
  readonly authority: string;
  readonly client: KeyPair;
  /** The cluster addresses of the primary as `host:port`. */
  readonly addresses: readonly string[];
  /** The key of the replication set's digests, in base64. */
  readonly digestKey: string;
}

/** The claims of an activation token. Times are in seconds since the epoch, as in every JWT. */
export interface ActivationClaims {
  /** The API address of the primary. */
  readonly addr: string;
  /** The wrapping token of the credentials. */
  readonly jti: string;
  readonly exp: number;
  readonly iat: number;
}

/** A primary's record of an activated cluster. */
export interface SecondaryRecord {
  readonly id: string;
  /** The ID of the cluster that used the activation; undefined before its first connection. */
  readonly clusterId: string | undefined;
  readonly apiAddress: string;
  readonly clusterAddress: string;
  /** The hash of the cluster's proof, without which no other activation can replace this one. */
  readonly proof?: string | undefined;
  /**
   * The last entry in the cluster's latest report and the report's time (milliseconds since the epoch). Undefined
   * before the first report.
   */
  readonly appliedSeq: number | undefined;
  readonly lastHeartbeat: number | undefined;
}

/** The caller's store of the activated clusters. */
export interface SecondaryBook {
  /** Undefined if the activation is unknown, was revoked, or expired before its first use. Such a cluster is denied. */
  get(id: string): SecondaryRecord | undefined;
  /** Called with every heartbeat, only for records that `get` returns. */
  save(record: SecondaryRecord): Promise<void>;
  /**
   * Saves that a cluster uses an activation, or that its addresses changed. A cluster can have only one activation.
   * @returns the IDs of its earlier activations, which are removed; undefined if one of them has another proof
   */
  claim(record: SecondaryRecord): Promise<readonly string[] | undefined>;
  filter(record: SecondaryRecord): PathsFilter | undefined;
  /**
   * Allows a secondary to replace this demoted cluster as the primary.
   * @returns whether no other one was allowed before
   */
  allowSuccessor(id: string): Promise<boolean>;
  /** Forgets the allowed secondary, because it follows this cluster again; any one without an ID. */
  forgetSuccessor(id?: string): Promise<void>;
}

/** A write that a secondary forwards. */
export interface ForwardedRequest {
  readonly namespace: string;
  readonly method: string;
  /** The path below /v1/, with the query. */
  readonly path: string;
  readonly body: string;
  readonly contentType: string | undefined;
  readonly policies: readonly string[];
  readonly displayName: string;
  /** Whose turns the write takes: the token's owner. Undefined from a secondary of version 0.1.0. */
  readonly owner?: string | undefined;
  /** The namespace of the caller's token, to which the policies belong. */
  readonly callerNamespace: string;
  /** The requested lifetime of the secondary's wrapped answer in seconds, for authorization; 0 without wrapping. */
  readonly wrapTtl: number;
}

/** The primary's answer to a forwarded write. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The primary's last entry after the write. */
  readonly seq: number;
}

/** The state of a secondary as known to its primary. Unknown values are undefined. */
export interface SecondaryState extends SecondaryRecord {
  readonly connected: boolean;
  readonly connectedSince: number | undefined;
  readonly lastHeartbeatDurationMs: number | undefined;
  /** The secondary's clock minus the primary's. */
  readonly clockSkewMs: number | undefined;
  /** The number of entries that the secondary lacks. */
  readonly lagEntries: number | undefined;
  /**
   * The age of the secondary's newest entry in milliseconds while it lacks entries; 0 once a heartbeat confirmed that
   * it has all.
   */
  readonly canaryAgeMs: number | undefined;
  readonly whole: boolean | undefined;
}

export interface ServeOptions {
  readonly identity: PrimaryIdentity;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly store: ReplicationStore;
  readonly book: SecondaryBook;
  readonly standing: 'primary' | 'demoted';
  /** Called when the port is open, before any call is answered; if it fails, the port closes again. */
  readonly prepare?: (port: number) => Promise<void>;
  /** Runs a forwarded write. The answer's `seq` is read afterwards. */
  readonly forward: (
    secondary: SecondaryRecord,
    request: ForwardedRequest,
  ) => Promise<Omit<ForwardedAnswer, 'seq'>>;
  readonly clock: Clock;
  readonly log: Log;
  /** The interval of heartbeats on an idle stream, in milliseconds; 5,000 by default. */
  readonly heartbeatMs?: number;
  /** How long a secondary may be silent before it is disconnected, in milliseconds; four heartbeats by default. */
  readonly deadlineMs?: number;
  /**
   * How long a secondary may take to send or read a message before its call is closed, in milliseconds; 60,000 by
   * default.
   */
  readonly drainMs?: number;
  /** The maximum number of connections, with or without a certificate; 500 by default. */
  readonly connections?: number;
}

/** An open cluster port. */
export interface Serving {
  readonly port: number;
  /** The connected secondaries; the caller adds the other known ones. */
  secondaries(): readonly SecondaryState[];
  /**
   * Ends a secondary's stream. If the book no longer has a record, the secondary is denied; if its filter changed, it
   * starts over.
   */
  disconnect(id: string): void;
  /** Reports demotion from now on, and refuses forwarded writes. Existing streams continue, and new ones are served. */
  demote(): void;
  /** Whether this cluster is about to become the primary again. If so, it answers pings as the primary. */
  announce(promoting: boolean): void;
  close(): Promise<void>;
}

/** The state of following a primary. Unknown values are undefined. */
export interface FollowState {
  readonly connection: 'connecting' | 'ready' | 'disconnected' | 'denied';
  /** `snapshot` while a snapshot is being received, `stream` after it. */
  readonly sync: 'idle' | 'snapshot' | 'stream';
  /** The reason for the last failure, for users; undefined while the link works. */
  readonly why: string | undefined;
  /** The address in use, or the last one tried. */
  readonly address: string | undefined;
  readonly connectedSince: number | undefined;
  readonly primaryStanding: 'primary' | 'demoted' | undefined;
  /** The primary's last known entry. */
  readonly primarySeq: number | undefined;
  readonly lastHeartbeat: number | undefined;
  readonly lastHeartbeatDurationMs: number | undefined;
  /** This cluster's clock minus the primary's. */
  readonly clockSkewMs: number | undefined;
  readonly lagEntries: number | undefined;
  /** The age of the newest local entry in milliseconds while entries are missing; 0 otherwise. */
  readonly canaryAgeMs: number | undefined;
  /**
   * The primary's newest known entry while this cluster was consistent with its history, and the time of that
   * heartbeat.
   */
  readonly heard: { readonly seq: number; readonly time: number } | undefined;
  /** The number of lost writes found since following began. */
  readonly lostWrites: number;
}

export interface FollowOptions {
  readonly credentials: SecondaryCredentials;
  readonly own: () => {
    readonly clusterId: string;
    readonly apiAddress: string;
    readonly clusterAddress: string;
    readonly clusterProof: string;
  };
  /**
   * The hash of the filter of the last complete snapshot, which the caller saves in `onFilter`. Empty before the first.
   */
  readonly filterHash: string;
  readonly onFilter: (filter: PathsFilter | undefined, hash: string) => Promise<void>;
  readonly onLost: (count: number) => Promise<void>;
  readonly store: ReplicationStore;
  readonly clock: Clock;
  readonly log: Log;
  /** In milliseconds; 5,000 by default. */
  readonly heartbeatMs?: number;
  /**
   * How long the primary may be silent before the connection is closed, in milliseconds; three heartbeats by default.
   */
  readonly deadlineMs?: number;
  /** The pauses between attempts; from 500 to 30,000 milliseconds by default. */
  readonly retryMs?: RetryPauses;
  /** How long a forwarded write waits for its entry, in milliseconds; 2,000 by default. */
  readonly waitMs?: number;
}

/** A cluster that follows a primary. */
export interface Following {
  state(): FollowState;
  /** Forwards a write and waits up to `waitMs` for its entry. @throws NoPrimary if no answer arrives */
  forward(request: ForwardedRequest): Promise<ForwardedAnswer>;
  /** Ends promptly, after the message in progress is applied. */
  close(): Promise<void>;
}

/** A forwarded write has no answer. */
export class NoPrimary extends Error {
  override readonly name = 'NoPrimary';
  /** Whether the primary certainly did nothing, or may have made the change and the answer was lost. */
  readonly done: 'no' | 'unknown';

  /** @param message for users */
  constructor(message: string, done: 'no' | 'unknown') {
    super(message);
    this.done = done;
  }
}

/** A primary's answer to a ping. */
export interface PingAnswer {
  readonly address: string;
  readonly standing: 'primary' | 'demoted';
  readonly clusterId: string;
  readonly position: Position;
}

/** The result of pinging a primary's addresses. */
export interface PingResult {
  /** Undefined if no address answered. */
  readonly answer: PingAnswer | undefined;
  /** The first address where the primary runs and refuses these credentials. */
  readonly deniedAt: string | undefined;
}
