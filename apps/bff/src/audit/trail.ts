import { createHash, randomUUID } from 'node:crypto';
import type { ActivityOutcome } from '@gatehouse/api-types/console/activity';
import type { Decision } from '@gatehouse/api-types/console/decisions';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { rateLimiter } from '@gatehouse/service-kit/rate-limit';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { LRUCache } from 'lru-cache';
import { ProblemError } from '#ground/problem.ts';
import type { TokenSeal } from '#session/token-seal.ts';
import type { Database } from '#store/database.ts';
import type { AuditOpenRow, AuditRow } from '#store/schema.ts';
import type { AuditChain, AuditEvent } from './chain.ts';
import { lastChange, type Change } from './last-change.ts';
import { openWish, sealWish, type Wish } from './wish.ts';

/** Who did what to what, as far as it is known before it is tried. */
export interface Deed {
  readonly personId: string;
  readonly personName: string;
  readonly loginName: string;
  readonly sessionId: string;
  readonly address: string;
  readonly environment: string;
  /** Empty for what is the console's own. */
  readonly service: string;
  readonly action: string;
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly paths: readonly string[];
  readonly decisions: readonly Decision[];
  readonly revision: string | null;
  readonly requestId: string;
}

/** How it came out, and what was learned on the way. */
export interface Result {
  readonly outcome: Exclude<ActivityOutcome, 'pending'>;
  readonly problem: string | null;
  readonly revisionAfter: string | null;
  /** What is known better now: the id of what was created, the person who signed in. */
  readonly learned: Partial<
    Pick<Deed, 'personId' | 'personName' | 'loginName' | 'sessionId' | 'id' | 'name'>
  >;
}

/** Writes the audit trail. */
export interface AuditTrail {
  /** The process that writes. */
  readonly instance: string;
  /**
   * Records what is about to be tried.
   * @throws ProblemError `service-unavailable` or `storage-full`: then it must not be tried
   */
  intend(deed: Deed, wish: Omit<Wish, 'secret'>): Promise<AuditRow>;
  /** Records the outcome. Where that fails it is tried again later, and until then the outcome is unknown. */
  conclude(intent: AuditRow, result: Result): Promise<void>;
  /**
   * Records the outcome that reading the service again has shown, in the name of who had it read.
   * @throws ProblemError as `intend` does
   */
  settle(intent: AuditRow, result: Result): Promise<void>;
  /**
   * Counts what is tried against the failures and exports that a person has left: each makes the trail longer.
   * @returns gives it back, where it changed something
   * @throws ProblemError `rate-limited` when none is left: then it must not be tried
   */
  countFailure(personId: string): () => void;
  /**
   * Records something that was denied before it was tried: the same thing of the same person once a minute. Failures
   * are logged, for nothing depends on it.
   * @throws ProblemError as `countFailure` does
   */
  denied(deed: Deed, problem: string): Promise<void>;
  /**
   * Records a change that was made in the course of something larger, whose intent is recorded already. Where that fails
   * it is tried again later.
   */
  did(deed: Deed, revisionAfter: string | null): Promise<void>;
  /**
   * What an intent without a known outcome asked for.
   * @throws SealBroken when it was changed
   */
  wishOf(open: AuditOpenRow): Wish;
  /**
   * Who made the revision that is stored now of the record that an intent was about, or deleted it.
   * @param revision null where the record is gone
   * @returns undefined when it was not changed through this console
   */
  lastChange(intent: AuditRow, revision: string | null): Promise<Change | undefined>;
  /** The intents that this process is working on. */
  readonly pending: ReadonlySet<number>;
  /** Tries again to record the outcomes that could not be recorded. */
  retry(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditTrailParts {
  readonly database: Database;
  readonly chain: AuditChain;
  readonly seal: TokenSeal;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often the same denial is recorded, in milliseconds: a page that asks again and again must not fill the trail. */
const denialEvery = 60_000;
const denialMemory = 10_000;

/** What fails, is refused or exported of one person: so many at once, and one a second. */
const failureLimit = { burst: 300, perSecond: 1 };

export function auditTrail({ database, chain, seal, clock, log }: AuditTrailParts): AuditTrail {
  const instance = randomUUID();
  const pending = new Set<number>();
  /** When each denial was last recorded, on the monotonic clock. */
  const denials = new LRUCache<string, number>({ max: denialMemory });
  const failures = rateLimiter(failureLimit, clock);
  const countFailure: AuditTrail['countFailure'] = (personId) => {
    // Who signs in is nobody yet; sign-ins have a limit of their own.
    if (personId === '') return () => undefined;
    const decision = failures.take(personId);
    if (decision.allowed) return () => failures.giveBack(personId);
    const seconds = Math.ceil(decision.retryAfterMs / 1000);
    throw new ProblemError(
      'rate-limited',
      "Too many of your recent requests failed or were exports, so this one wasn't tried. Wait a moment, then try again.",
      { retryAfterSeconds: seconds },
    );
  };
  /** What was done, and could not be recorded yet. */
  const late = new Set<AuditEvent>();

  const appendOutcome = async (event: AuditEvent): Promise<void> => {
    await chain.append(event, () =>
      event.outcome === 'unknown' || event.intent === null
        ? []
        : [database.build.deleteFrom('audit_open').where('intent', '=', event.intent).compile()],
    );
  };
  const outcomeOf = (intent: AuditRow, { outcome, problem, revisionAfter, learned }: Result): AuditEvent => {
    const { sequence, hash: _hash, previous_hash: _previous, key_id: _key, ...said } = intent;
    return {
      ...said,
      time: clock.now(),
      intent: sequence,
      person_id: text(learned.personId ?? said.person_id),
      person_name: text(learned.personName ?? said.person_name),
      login_name: text(learned.loginName ?? said.login_name),
      session_id: text(learned.sessionId ?? said.session_id),
      resource_id: text(learned.id ?? said.resource_id),
      resource_name: text(learned.name ?? said.resource_name),
      revision_after: revisionAfter === null ? null : text(revisionAfter),
      outcome,
      problem,
    };
  };

  return {
    instance,
    countFailure,
    async intend(deed, wish) {
      const id = randomUUID();
      try {
        const row = await chain.append(eventOf(deed, 'intent', clock.now()), (appendedRow, appended) => [
          appended('audit_open', {
            intent: appendedRow.sequence,
            instance: `${instance}/${id}`,
            sealed_wish: sealWish(seal, id, wish),
          }),
        ]);
        pending.add(row.sequence);
        return row;
      } catch (error) {
        throw notRecorded(error);
      }
    },
    async conclude(intent, result) {
      const event = outcomeOf(intent, result);
      try {
        await appendOutcome(event);
      } catch (error) {
        late.add(event);
        log.error('outcome not recorded', { error, requestId: intent.request_id });
      } finally {
        pending.delete(intent.sequence);
      }
    },
    async settle(intent, result) {
      try {
        await appendOutcome(outcomeOf(intent, result));
      } catch (error) {
        throw notRecorded(error);
      }
    },
    async denied(deed, problem) {
      const denied = JSON.stringify([deed.personId, deed.environment, deed.action, deed.id]);
      // An ID may be as long as an address.
      const key = createHash('sha256').update(denied).digest('base64');
      const now = clock.monotonic();
      if (now - (denials.get(key) ?? -Infinity) < denialEvery) return;
      countFailure(deed.personId);
      denials.set(key, now);
      try {
        await chain.append({ ...eventOf(deed, 'refused', clock.now()), problem });
      } catch (error) {
        log.error('denial not recorded', { error, requestId: deed.requestId });
      }
    },
    async did(deed, revisionAfter) {
      const event = {
        ...eventOf(deed, 'succeeded', clock.now()),
        revision_after: revisionAfter === null ? null : text(revisionAfter),
      };
      try {
        await appendOutcome(event);
      } catch (error) {
        late.add(event);
        log.error('change not recorded', { error, requestId: deed.requestId });
      }
    },
    lastChange: (intent, revision) => lastChange(database, intent, revision),
    wishOf: (open) => openWish(seal, open.instance.slice(open.instance.indexOf('/') + 1), open.sealed_wish),
    pending,
    async retry() {
      for (const event of late) {
        try {
          await appendOutcome(event);
          late.delete(event);
        } catch (error) {
          log.error('outcome not recorded', { error, requestId: event.request_id });
        }
      }
    },
    close: () => chain.close(),
  };
}

function eventOf(deed: Deed, outcome: string, time: number): AuditEvent {
  return {
    time,
    intent: null,
    person_id: text(deed.personId),
    person_name: text(deed.personName),
    login_name: text(deed.loginName),
    session_id: text(deed.sessionId),
    address: text(deed.address),
    environment: text(deed.environment),
    service: text(deed.service),
    action: text(deed.action),
    resource_kind: text(deed.kind),
    resource_id: text(deed.id),
    resource_name: text(deed.name),
    paths: JSON.stringify(pathsWithin(deed.paths)),
    decisions: JSON.stringify(deed.decisions.map(({ path, choice }) => ({ path: text(path), choice }))),
    revision_before: deed.revision === null ? null : text(deed.revision),
    revision_after: null,
    outcome,
    problem: null,
    request_id: text(deed.requestId),
  };
}

const textLimit = 512;
/** Of all paths of an entry, in number and characters: who may only read has entries as well, of what was refused. */
const pathLimits = { count: 1_000, characters: 32 * 1024 } as const;

/** The first of many paths, and how many others there are. */
export function pathsWithin(paths: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let characters = 0;
  for (const path of paths.slice(0, pathLimits.count).map(text)) {
    characters += path.length;
    if (characters > pathLimits.characters) break;
    kept.push(path);
  }
  if (kept.length === paths.length) return kept;
  if (kept.length === pathLimits.count) kept.pop();
  return [...kept, `and ${paths.length - kept.length} more`];
}

/**
 * Text that every database stores and every screen shows: a NUL is refused by some, and names may hold anything. What is
 * too long ends in a part of its SHA-256: two that begin alike stay two.
 */
export function text(value: string): string {
  const kept =
    value.length <= textLimit
      ? value
      : `${value.slice(0, textLimit - 17)}…${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;
  return kept.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd');
}

function notRecorded(cause: unknown): ProblemError {
  const full = cause instanceof StoreUnavailable && cause.reason === 'full';
  return new ProblemError(
    full ? 'storage-full' : 'service-unavailable',
    "The console can't write its audit trail at the moment, and makes no change that it can't record. Try again later.",
    { cause, ...(!full && { retryAfterSeconds: 5 }) },
  );
}
