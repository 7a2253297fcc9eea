import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { PathsFilter, Position, ReplicationStore } from '#store/replication/replication-store.ts';
import type { RetryPauses } from './retry.ts';

/** A certificate with its private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** What a cluster needs so that others can follow it. JSON; kept sealed by the caller. */
export interface PrimaryIdentity {
  readonly clusterId: string;
  readonly authority: KeyPair;
}

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

/** What an activation token says. Times are seconds since the epoch, as in every JWT. */
export interface ActivationClaims {
  /** API address of the primary. */
  readonly addr: string;
  /** The wrapping token that the credentials are unwrapped with. */
  readonly jti: string;
  readonly exp: number;
  readonly iat: number;
}

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
  /** Undefined when it is unknown, revoked, or its activation ran out before it was used: it is denied. */
  get(id: string): SecondaryRecord | undefined;
  /** Only called for those that `get` knows, with every heartbeat. */
  save(record: SecondaryRecord): Promise<void>;
  /**
   * A cluster uses an activation, or its addresses changed. A cluster has one activation at a time.
   * @returns ids of its earlier activations, which `get` does not know any more
   */
  claim(record: SecondaryRecord): Promise<readonly string[]>;
  filter(record: SecondaryRecord): PathsFilter | undefined;
}

/** A write that a secondary passes on. */
export interface ForwardedRequest {
  readonly namespace: string;
  readonly method: string;
  /** Below /v1/, with its query. */
  readonly path: string;
  readonly body: string;
  readonly contentType: string | undefined;
  readonly policies: readonly string[];
  readonly displayName: string;
  /** Namespace that the caller's token is of, which its policies are of. */
  readonly callerNamespace: string;
  /** Seconds for which the secondary wraps the answer, for authorizing; 0 when it does not. */
  readonly wrapTtl: number;
}

/** What the primary answered to it. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The primary's last entry when it answered. */
  readonly seq: number;
}

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

/** What `servePrimary` needs. */
export interface ServeOptions {
  readonly identity: PrimaryIdentity;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly store: ReplicationStore;
  readonly book: SecondaryBook;
  readonly standing: 'primary' | 'demoted';
  /** Done once the port is open, before anybody is answered: when it fails, the port closes again. */
  readonly prepare?: (port: number) => Promise<void>;
  /** Runs a write that a secondary passed on. The answer's `seq` is read after it. */
  readonly forward: (
    secondary: SecondaryRecord,
    request: ForwardedRequest,
  ) => Promise<Omit<ForwardedAnswer, 'seq'>>;
  readonly clock: Clock;
  readonly log: Log;
  /** How often a stream on which nothing is written says so; 5000 unless given. */
  readonly heartbeatMs?: number;
  /** How long a secondary may be silent before it is let go; four heartbeats unless given. */
  readonly deadlineMs?: number;
  /** How long a secondary may take to send or to read a message before its call is broken off. 60,000 unless given. */
  readonly drainMs?: number;
  /** Connections at once, of all secondaries and of those who are none. 500 unless given. */
  readonly connections?: number;
}

/** A cluster port that is open. */
export interface Serving {
  readonly port: number;
  /** Those that are connected; the caller adds the known rest. */
  secondaries(): readonly SecondaryState[];
  /** Ends a secondary's stream: the book does not know it any more (it is told that it is denied), or its filter changed (it starts over). */
  disconnect(id: string): void;
  /** From now on it answers as demoted and takes no forwarded write. Streams stay, and whoever comes is served. */
  demote(): void;
  /** Whether it is about to be the primary again: then it answers pings as one. */
  announce(promoting: boolean): void;
  close(): Promise<void>;
}

/** How it goes with the primary. Undefined is unknown. */
export interface FollowState {
  readonly connection: 'connecting' | 'ready' | 'disconnected' | 'denied';
  /** `snapshot` while one is received, `stream` after. */
  readonly sync: 'idle' | 'snapshot' | 'stream';
  /** Of the last failure, for people; undefined while it goes well. */
  readonly why: string | undefined;
  /** In use, or tried last. */
  readonly address: string | undefined;
  readonly connectedSince: number | undefined;
  readonly primaryStanding: 'primary' | 'demoted' | undefined;
  /** As last heard. */
  readonly primarySeq: number | undefined;
  readonly lastHeartbeat: number | undefined;
  readonly lastHeartbeatDurationMs: number | undefined;
  /** Our clock less the primary's. */
  readonly clockSkewMs: number | undefined;
  readonly lagEntries: number | undefined;
  /** Age in ms of the newest entry that is here, while any is lacking; 0 while none is. */
  readonly canaryAgeMs: number | undefined;
  /** The newest entry of the primary that was heard of while what is here was a part of its history, and when. */
  readonly heard: { readonly seq: number; readonly time: number } | undefined;
  /** Found since it follows. */
  readonly lostWrites: number;
}

/** What `follow` needs. */
export interface FollowOptions {
  readonly credentials: SecondaryCredentials;
  readonly own: () => {
    readonly clusterId: string;
    readonly apiAddress: string;
    readonly clusterAddress: string;
  };
  /** Hash of the filter that the last whole snapshot was taken under; kept by the caller through `onFilter`. Empty before the first. */
  readonly filterHash: string;
  readonly onFilter: (filter: PathsFilter | undefined, hash: string) => Promise<void>;
  readonly onLost: (count: number) => Promise<void>;
  readonly store: ReplicationStore;
  readonly clock: Clock;
  readonly log: Log;
  /** 5000 unless given. */
  readonly heartbeatMs?: number;
  /** How long the primary may be silent before the connection is given up; three heartbeats unless given. */
  readonly deadlineMs?: number;
  /** Pauses between attempts; 500 at first and 30,000 at most unless given. */
  readonly retryMs?: RetryPauses;
  /** How long a forwarded write waits at most until it is here; 2000 unless given. */
  readonly waitMs?: number;
}

/** A cluster that follows a primary. */
export interface Following {
  state(): FollowState;
  /** Passes a write on, and waits until it is here (at most `waitMs`). @throws NoPrimary when there is no answer */
  forward(request: ForwardedRequest): Promise<ForwardedAnswer>;
  /** Ends promptly; what is being applied is applied. */
  close(): Promise<void>;
}

/** A forwarded write has no answer. */
export class NoPrimary extends Error {
  override readonly name = 'NoPrimary';
  /** Whether the primary certainly did nothing: otherwise it may have done it and the answer was lost. */
  readonly done: 'no' | 'unknown';

  /** @param message what happened, for people */
  constructor(message: string, done: 'no' | 'unknown') {
    super(message);
    this.done = done;
  }
}

/** What a primary answered to a ping. */
export interface PingAnswer {
  readonly address: string;
  readonly standing: 'primary' | 'demoted';
  readonly clusterId: string;
  readonly position: Position;
}

/** What came of asking addresses for a primary. */
export interface PingResult {
  /** Undefined when none answered. */
  readonly answer: PingAnswer | undefined;
  /** The first address where the primary runs and refuses these credentials. */
  readonly deniedAt: string | undefined;
}
