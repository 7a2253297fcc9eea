import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { RateLimiter } from '@gatehouse/service-kit/rate-limit';
import type { Activity } from '#audit/activity.ts';
import type { AuditTrail } from '#audit/trail.ts';
import type { Config } from '#config/config.ts';
import type { MoveJobs } from '#moves/jobs.ts';
import type { MoveChoices } from '#moves/plan/choosing.ts';
import type { Items } from '#moves/rows/items.ts';
import type { Moves } from '#moves/rows/moves.ts';
import type { Pieces } from '#moves/rows/pieces.ts';
import type { MoveReading } from '#moves/rows/reading.ts';
import type { Connections } from '#session/connections.ts';
import type { SessionCookie } from '#session/cookie.ts';
import type { Preferences } from '#session/preferences.ts';
import type { Renewals } from '#session/renewals.ts';
import type { Revocations } from '#session/revocations.ts';
import type { Sessions } from '#session/sessions.ts';
import type { SignInLimits } from '#session/sign-in-limits.ts';
import type { TokenSeal } from '#session/token-seal.ts';
import type { Sources } from '#sources/sources.ts';
import type { Deliveries } from '#uploads/deliveries.ts';
import type { Publishing } from '#uploads/publishing.ts';
import type { Runs } from '#uploads/runs.ts';
import type { Spool } from '#uploads/spool.ts';
import type { Uploads } from '#uploads/uploads.ts';
import type { Directory } from '#upstreams/directory.ts';
import type { Health } from '#upstreams/health.ts';
import type { KnownClusters } from '#upstreams/known-clusters.ts';
import type { SecretDates } from '#upstreams/secret-dates.ts';
import type { ReplicasOf } from '#upstreams/secrets-server/replicas.ts';

/** What operations work with, created once by `createBff`. */
export interface Context {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The version of page and server, by which an old page notices a new server. */
  readonly version: string;
  readonly cookie: SessionCookie;
  readonly sessions: Sessions;
  readonly connections: Connections;
  readonly revocations: Revocations;
  readonly renewals: Renewals;
  readonly limits: SignInLimits;
  /** How often a user may check whether a secret has a value. */
  readonly comparisons: RateLimiter;
  readonly preferences: Preferences;
  readonly audit: AuditTrail;
  readonly activity: Activity;
  readonly directory: Directory;
  readonly health: Health;
  readonly knownClusters: KnownClusters;
  readonly replicasOf: ReplicasOf;
  readonly secretDates: SecretDates;
  /** Encrypts what browsers or the database keep for the console. */
  readonly seal: TokenSeal;
  /** Publishing of boxes: runs, received images, and their deliveries. */
  readonly runs: Runs;
  readonly spool: Spool;
  readonly uploads: Uploads;
  readonly deliveries: Deliveries;
  readonly publishing: Publishing;
  /** Moves from other registries: their storage, and the work on them. */
  readonly moves: Moves;
  readonly moveItems: Items;
  readonly movePieces: Pieces;
  readonly moveReading: MoveReading;
  readonly moveJobs: MoveJobs;
  readonly moveChoices: MoveChoices;
  readonly sources: Sources;
}
