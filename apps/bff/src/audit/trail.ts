import { createHash, randomUUID } from 'node:crypto';
import type { ActivityOutcome, ChangedValue } from '@gatehouse/api-types/console/activity';
import type { Decision } from '@gatehouse/api-types/console/decisions';
import type { ConflictDetails } from '@gatehouse/api-types/console/problem';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { rateLimiter } from '@gatehouse/service-kit/rate-limit';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { LRUCache } from 'lru-cache';
import type { EnvironmentConfig } from '#config/config.ts';
import { ProblemError } from '#ground/problem.ts';
import { countedAccount } from '#session/people.ts';
import type { TokenSeal } from '#session/token-seal.ts';
import type { Database } from '#store/database.ts';
import type { AuditOpenRow, AuditRow } from '#store/schema.ts';
import type { AuditChain, AuditEvent } from './chain.ts';
import { lastChange, type Change } from './last-change.ts';
import { openValues, sealValues, valuesKeptForMs } from './values.ts';
import { openWish, sealWish, type Wish } from './wish.ts';

/** Who did what to which record, as far as it is known before it is tried. */
export interface Deed {
  readonly personId: string;
  readonly personName: string;
  readonly loginName: string;
  readonly sessionId: string;
  readonly address: string;
  readonly environment: string;
  /** Empty for the console's own actions. */
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

/** The outcome, with what the operation has learned. */
export interface Result {
  readonly outcome: Exclude<ActivityOutcome, 'pending'>;
  readonly problem: string | null;
  readonly revisionAfter: string | null;
  /** What is known only now: the ID of a created record, the user who signed in. */
  readonly learned: Partial<
    Pick<Deed, 'personId' | 'personName' | 'loginName' | 'sessionId' | 'id' | 'name'>
  >;
  /** The fields that were really changed, if that is known only now. */
  readonly paths?: readonly string[];
  /** The values of changed fields, as far as they are kept. */
  readonly values?: readonly ChangedValue[];
}

/** Writes the audit trail. */
export interface AuditTrail {
  /** Names the process that writes. */
  readonly instance: string;
  /**
   * Records what is about to be tried.
   * @throws ProblemError `service-unavailable` or `storage-full`; it must not be tried then
   */
  intend(deed: Deed, wish: Omit<Wish, 'secret'>): Promise<AuditRow>;
  /** Records the outcome. If that fails, it is retried later, and the outcome is unknown until then. */
  conclude(intent: AuditRow, result: Result): Promise<void>;
  /**
   * Records the outcome that a later read has found, with the user who had it read.
   * @throws ProblemError like `intend`
   */
  settle(intent: AuditRow, result: Result): Promise<void>;
  /**
   * Counts an attempt against the failures, exports and recorded reads that a user may still make, because each makes the
   * trail longer, by its paths and decisions too.
   * @returns gives the attempt back as a failure, if it didn't fail
   * @throws ProblemError `rate-limited` if none is left; it must not be tried then
   */
  count(deed: Pick<Deed, 'personId' | 'paths' | 'decisions'>, isRead: boolean): () => void;
  /**
   * Records something that was denied before it was tried, each denial of a user once a minute. Errors are only logged,
   * because nothing depends on the record.
   * @throws ProblemError like `count`
   */
  denied(deed: Deed, problem: string): Promise<void>;
  /**
   * Records a change that is part of a larger one whose intent is recorded already. If that fails, it is retried later.
   */
  did(deed: Deed, revisionAfter: string | null): Promise<void>;
  /** The values of changed fields; undefined if none are kept, or they can't be opened. */
  valuesOf(intent: AuditRow): Promise<ChangedValue[] | undefined>;
  /** Deletes values that were kept long enough, some at a time. */
  sweep(): Promise<void>;
  /** What an intent without a known outcome requested. @throws SealBroken if the stored text was changed */
  wishOf(open: AuditOpenRow): Wish;
  /**
   * Finds who made the stored revision of an intent's record, or deleted the record.
   * @returns undefined if the change wasn't made through this console, or the user may never have seen the record
   */
  lastChange(intent: AuditRow, conflict: ConflictDetails): Promise<Change | undefined>;
  /** The intents that this process is working on. */
  readonly pending: ReadonlySet<number>;
  /** Retries to record the outcomes that couldn't be recorded, also of intents that were recorded unnoticed. */
  retry(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditTrailParts {
  readonly environments: readonly EnvironmentConfig[];
  readonly database: Database;
  readonly chain: AuditChain;
  readonly seal: TokenSeal;
  readonly clock: Clock;
  readonly log: Log;
}

function tooMany(what: string, { retryAfterMs }: { readonly retryAfterMs: number }): ProblemError {
  return new ProblemError(
    'rate-limited',
    `Too many of your recent requests ${what}, so this one wasn't tried. Wait a moment, then try again.`,
    { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) },
  );
}

/** The outcome of an intent that was recorded only after its request had been refused. */
const notTried: Result = {
  outcome: 'failed',
  problem: 'service-unavailable',
  revisionAfter: null,
  learned: {},
};

/** How often the same denial is recorded, in milliseconds: a page that keeps asking must not fill the trail. */
const denialEvery = 60_000;
const denialMemory = 10_000;

/** Values deleted by one sweep. */
const sweptAtOnce = 5_000;

/** Failures, refusals, changes that changed nothing, and exports of a user: the burst, and one a second. */
const failureLimit = { burst: 300, perSecond: 1 };
/** Recorded reads of a user, likewise. */
const readLimit = { burst: 600, perSecond: 5 };
/** The characters of paths and decisions that count as another entry. */
const countedAsOne = 1_024;

export function auditTrail({ environments, database, chain, seal, clock, log }: AuditTrailParts): AuditTrail {
  const instance = randomUUID();
  const pending = new Set<number>();
  /** When each denial was last recorded, on the monotonic clock. */
  const denials = new LRUCache<string, number>({ max: denialMemory });
  const failures = rateLimiter(failureLimit, clock);
  const reads = rateLimiter(readLimit, clock);
  const count: AuditTrail['count'] = ({ personId, paths, decisions }, isRead) => {
    // Sign-ins have no user yet, and a limit of their own.
    if (personId === '') return () => undefined;
    const account = countedAccount(environments, personId);
    const cost = 1 + Math.floor(JSON.stringify([pathsWithin(paths), decisions]).length / countedAsOne);
    const giveBack = (): void => failures.giveBack(account, cost);
    const decision = failures.take(account, cost);
    if (!decision.allowed) throw tooMany('failed, changed nothing or were exports', decision);
    if (!isRead) return giveBack;
    const read = reads.take(account, cost);
    if (read.allowed) return giveBack;
    giveBack();
    throw tooMany('revealed or compared values', read);
  };
  /** Changes that couldn't be recorded yet. */
  const late = new Set<AuditEvent>();
  /** Intents that couldn't be recorded, as far as is known; nothing was tried then. */
  const untried = new Set<AuditEvent>();

  const sealedValues = new WeakMap<AuditEvent, string>();
  const appendOutcome = async (event: AuditEvent): Promise<void> => {
    const { intent, outcome, time } = event;
    const sealed = sealedValues.get(event);
    await chain.append(event, (_row, appended) => [
      ...(outcome === 'unknown' || intent === null ? [] : [appended.close(intent)]),
      ...(sealed === undefined ? [] : [appended.insert('audit_values', { intent, time, sealed })]),
    ]);
  };
  const outcomeOf = (
    intent: AuditRow,
    { outcome, problem, revisionAfter, learned, paths = [], values = [] }: Result,
  ): AuditEvent => {
    const { sequence, hash: _hash, previous_hash: _previous, key_id: _key, ...said } = intent;
    const event = {
      ...said,
      // Otherwise the intent has them.
      paths: JSON.stringify(pathsWithin(paths)),
      time: clock.now(),
      intent: sequence,
      person_id: text(learned.personId ?? said.person_id),
      person_name: text(learned.personName ?? said.person_name),
      login_name: text(learned.loginName ?? said.login_name),
      session_id: text(learned.sessionId ?? said.session_id),
      // The record that the request named stays, whatever the service answers.
      resource_id: said.resource_id || text(learned.id ?? ''),
      resource_name: text(learned.name ?? said.resource_name),
      revision_after: revisionAfter === null ? null : text(revisionAfter),
      outcome,
      problem,
    };
    if (values.length > 0) sealedValues.set(event, sealValues(seal, sequence, values));
    return event;
  };

  return {
    instance,
    count,
    async intend(deed, wish) {
      const id = randomUUID();
      const event = eventOf(deed, 'intent', clock.now());
      try {
        const row = await chain.append(event, (appendedRow, appended) => [
          appended.insert('audit_open', {
            intent: appendedRow.sequence,
            instance: `${instance}/${id}`,
            sealed_wish: sealWish(seal, id, wish),
          }),
        ]);
        pending.add(row.sequence);
        return row;
      } catch (error) {
        untried.add(event);
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
      count(deed, false);
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
    lastChange: (intent, conflict) => lastChange(database, intent, conflict),
    async valuesOf({ sequence }) {
      const row = database.build.selectFrom('audit_values').select('sealed').where('intent', '=', sequence);
      const found = await database.get(row.compile());
      return found === undefined ? undefined : openValues(seal, sequence, found.sealed);
    },
    async sweep() {
      const { build } = database;
      const old = build.selectFrom('audit_values').select('intent').orderBy('time').limit(sweptAtOnce);
      const before = clock.now() - valuesKeptForMs;
      await database.run(
        build
          .deleteFrom('audit_values')
          .where('intent', 'in', old.where('time', '<', before))
          .compile(),
      );
    },
    wishOf: (open) => openWish(seal, open.instance.slice(open.instance.indexOf('/') + 1), open.sealed_wish),
    pending,
    async retry() {
      try {
        for (const event of untried) {
          const intent = await chain.find(event);
          untried.delete(event);
          if (intent !== undefined) late.add(outcomeOf(intent, notTried));
        }
      } catch (error) {
        log.error('intents not found', { error });
      }
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
/** Most paths of an entry, in number and characters: refused requests of users who may only read leave entries too. */
const pathLimits = { count: 1_000, characters: 32 * 1024 } as const;

/** The first paths, and the number of the others. */
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
 * Text that every database stores and every screen shows. Some databases refuse NUL, and names may contain anything. A
 * text that is too long ends with a part of its SHA-256, so that texts with the same beginning stay distinct.
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
