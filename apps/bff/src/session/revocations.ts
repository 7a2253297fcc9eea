import type { Clock } from '@gatehouse/service-kit/clock';
import { sql, type CompiledQuery, type RawBuilder, type SqlBool } from 'kysely';
import { isPassing } from '#ground/problem.ts';
import { bigint, type Database } from '#store/database.ts';
import { lease, underLease, type HeartbeatParts } from '#store/lease.ts';
import type { RevocationRow } from '#store/schema.ts';
import type { TokenPlace, TokenSeal } from './token-seal.ts';

/** Tokens to be revoked at their services, kept until the service has confirmed it. */
export type Revocations = ReturnType<typeof revocations>;

/** Pauses between attempts, in milliseconds: 2 s, doubled each time, at most 5 min. */
const firstDelay = 2_000;
const longestDelay = 5 * 60_000;
/** The longest pause, and a minute by which the clocks of replicas may differ, in milliseconds. */
const mostAhead = longestDelay + 60_000;
/** After this time without an answer, a token counts as ended, in milliseconds. */
const giveUpAfter = 8 * 24 * 3_600_000;
/** Rows read at a time. */
const batchSize = 1_000;

export interface RevocationOptions extends HeartbeatParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly seal: TokenSeal;
  /** A configured service; undefined if this console has none there. */
  readonly serviceOf: (
    environment: string,
    service: string,
  ) =>
    | {
        /** Revokes one token. Rejects if it is to be retried. */
        revoke(tokenId: string, token: string): Promise<void>;
      }
    | undefined;
}

export function revocations(options: RevocationOptions) {
  const { database, clock, seal, log, serviceOf } = options;
  const { build } = database;
  let closed = false;
  /** Work in progress by service, so that a slow service delays no other. */
  const working = new Map<string, Promise<void>>();
  /** Services with possibly more due tokens once their work in progress is done. */
  const again = new Set<string>();
  const service = sql<string>`environment || '/' || service`;

  /**
   * Statements that move the connections of `where` into the queue, except the token `except`, which is only removed.
   */
  const queue = (where: RawBuilder<SqlBool>, except?: string) => {
    const now = clock.now();
    let from = build
      .selectFrom('connection')
      .select([
        sql<string>`session_id || '/' || environment || '/' || service || '/' || token_id`.as('id'),
        'session_id',
        'environment',
        'service',
        'token_id',
        'sealed_token',
        bigint(0).as('attempts'),
        bigint(now).as('next_attempt_at'),
        sql<number>`coalesce(expires_at, ${bigint(now + giveUpAfter)})`.as('give_up_at'),
      ])
      .where(where);
    if (except !== undefined) from = from.where('token_id', '<>', except);
    const insert = build
      .insertInto('revocation')
      .columns([
        'id',
        'session_id',
        'environment',
        'service',
        'token_id',
        'sealed_token',
        'attempts',
        'next_attempt_at',
        'give_up_at',
      ])
      .expression(from)
      .onConflict((conflict) => conflict.column('id').doNothing());
    return [insert.compile(), build.deleteFrom('connection').where(where).compile()];
  };

  /** A time further ahead than any pause was stored before the clock was set back. */
  const isDue = (): RawBuilder<SqlBool> => {
    const now = clock.now();
    return sql`(next_attempt_at <= ${bigint(now)} or next_attempt_at > ${bigint(now + mostAhead)})`;
  };

  /**
   * Due tokens of services without work in progress, except the services `others`.
   * @param after the row behind which to read
   */
  const due = (
    others: Iterable<string>,
    after: Pick<RevocationRow, 'next_attempt_at' | 'id'> | undefined,
  ): Promise<readonly RevocationRow[]> =>
    database.all(
      build
        .selectFrom('revocation')
        .selectAll()
        .where(isDue())
        .$if(after !== undefined, (rows) =>
          rows.where(
            sql<SqlBool>`(next_attempt_at, id) > (${bigint(after?.next_attempt_at ?? 0)}, ${after?.id ?? ''})`,
          ),
        )
        .where(service, 'not in', ['', ...working.keys(), ...others])
        // A delivery keeps its token until it is done.
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('publish_upload')
                .select('publish_upload.id')
                .whereRef('publish_upload.token_id', '=', 'revocation.token_id')
                .whereRef('publish_upload.environment', '=', 'revocation.environment')
                .where('publish_upload.sealed_token', 'is not', null),
            ),
          ),
        )
        // A move keeps its token until it rests.
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('move')
                .select('move.id')
                .whereRef('move.token_id', '=', 'revocation.token_id')
                .whereRef('move.environment', '=', 'revocation.environment')
                .whereRef('move.kind', '=', 'revocation.service')
                .where('move.sealed_token', 'is not', null),
            ),
          ),
        )
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(batchSize)
        .compile(),
    );

  /**
   * Whether this console claims the token: it can revoke it, or the token has ended unrevoked. Others are left to the
   * console that can, as one may have another configuration or key ring.
   */
  const isOurs = (row: RevocationRow): boolean =>
    row.give_up_at <= clock.now() - mostAhead ||
    (serviceOf(row.environment, row.service) !== undefined && seal.opens(row.sealed_token, placeOf(row)));

  /** A batch of due tokens that this console claims, and whether more may be due. */
  const dueHere = async (others: ReadonlySet<string>) => {
    let after: RevocationRow | undefined;
    for (;;) {
      const rows = await due(others, after);
      const ours = rows.filter(isOurs);
      const isFull = rows.length === batchSize;
      if (ours.length > 0 || !isFull) return { ours, isFull };
      after = rows.at(-1);
    }
  };

  /** Revokes tokens of one service. @returns false if it stopped at a token because the service doesn't answer */
  const workOff = async (rows: readonly RevocationRow[]): Promise<boolean> => {
    for (const row of rows) if (closed || !(await attempt(row))) return false;
    return true;
  };

  /** @returns whether the service answers */
  const attempt = async (row: RevocationRow): Promise<boolean> => {
    const attempts = row.attempts + 1;
    const claimed = await database.run(
      build
        .updateTable('revocation')
        .set({ next_attempt_at: clock.now() + lease, attempts })
        .where('id', '=', row.id)
        .where('attempts', '=', row.attempts)
        .where(isDue())
        .compile(),
    );
    if (claimed === 0) return true;
    // Each claim counts an attempt, so a different count means that another process has the row.
    const next = (delay: number): Promise<number> =>
      database.run(
        build
          .updateTable('revocation')
          .set({ next_attempt_at: clock.now() + delay })
          .where('id', '=', row.id)
          .where('attempts', '=', attempts)
          .compile(),
      );
    const extend = async (): Promise<boolean> => (await next(lease)) === 1;
    const failure = await underLease(
      // Revoking a token twice does no harm.
      { age: () => 0, lastsMs: Infinity, extend, lost: () => undefined },
      options,
      () => revokeToken(row),
    )
      .then(() => undefined)
      .catch((error: unknown) => ({ error }));
    if (failure !== undefined && row.give_up_at > clock.now()) {
      const delay = Math.min(longestDelay, firstDelay * 2 ** Math.min(row.attempts, 20));
      if ((await next(delay)) === 1)
        log.warn('token not revoked yet', { upstream: row.service, attempt: attempts, ...failure });
      return !isPassing(failure.error);
    }
    const ended = await database.run(
      build.deleteFrom('revocation').where('id', '=', row.id).where('attempts', '=', attempts).compile(),
    );
    if (failure !== undefined && ended === 1)
      log.warn('token ended before it could be revoked', { upstream: row.service, attempt: attempts });
    return failure === undefined || !isPassing(failure.error);
  };

  const revokeToken = async (row: RevocationRow): Promise<void> => {
    const known = serviceOf(row.environment, row.service);
    if (known === undefined) throw new Error('the service is not configured');
    await known.revoke(row.token_id, seal.open(row.sealed_token, placeOf(row)));
  };

  const run = async (): Promise<void> => {
    if (closed) return;
    for (const one of working.keys()) again.add(one);
    const begun = new Set<string>();
    for (let isMore = true; isMore;) {
      // So many tokens of a service that is down may be due that a batch contains none of the others.
      const { ours, isFull } = await dueHere(begun);
      isMore = isFull;
      for (const [one, own] of Map.groupBy(ours, (row) => `${row.environment}/${row.service}`)) {
        begun.add(one);
        // The service's work began during the query.
        if (working.has(one)) again.add(one);
        else
          working.set(
            one,
            workOff(own)
              .then((isDone) => {
                // More of this service may be due than the batch had room for.
                if (isDone && isFull) again.add(one);
              })
              // Nobody awaits it yet: a rejection would end the process.
              .catch((error: unknown) => log.error('revocation queue', { error }))
              .then(async () => {
                working.delete(one);
                // Who waits for this work waits for what has become due since, too.
                if (again.delete(one)) await runLogged();
              }),
          );
      }
    }
    await Promise.all(working.values());
  };

  const runLogged = (): Promise<void> =>
    run().catch((error: unknown) => log.error('revocation queue', { error }));
  const wake = (): void => void runLogged();

  return {
    /** Statements that move all tokens of a session into the queue. */
    queueAll: (sessionId: string): readonly CompiledQuery[] => queue(sql`session_id = ${sessionId}`),
    /**
     * Statements that move one connection's token into the queue, unless it is `exceptTokenId`, and remove the
     * connection.
     */
    queueOne: (
      {
        session_id,
        environment,
        service,
      }: { readonly session_id: string; readonly environment: string; readonly service: string },
      except?: string,
    ): readonly CompiledQuery[] =>
      queue(
        sql`session_id = ${session_id} and environment = ${environment} and service = ${service}`,
        except,
      ),
    /** Statements that do the same for connections that were created while their session ended. */
    queueLeftOver: (): readonly CompiledQuery[] =>
      queue(sql`session_id in (select id from session where ended is not null)`),
    /** Queues an unneeded token of a sign-in, and starts revoking. */
    async revokeUnused(
      { environment, service }: { readonly environment: string; readonly service: string },
      { tokenId, token }: { readonly tokenId: string; readonly token: string },
    ): Promise<void> {
      const sessionId = `-${tokenId}`;
      await database.run(
        build
          .insertInto('revocation')
          .values({
            id: `${environment}/${service}/${tokenId}`,
            session_id: sessionId,
            environment,
            service,
            token_id: tokenId,
            sealed_token: seal.seal(token, { sessionId, environment, service }),
            attempts: 0,
            next_attempt_at: clock.now(),
            give_up_at: clock.now() + giveUpAfter,
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .compile(),
      );
      wake();
    },
    /** Starts revoking due tokens, without waiting. */
    wake,
    /** Revokes due tokens. */
    run,
    /** Waits for the work in progress. No more is started. */
    async close(): Promise<void> {
      closed = true;
      await Promise.allSettled(working.values());
    },
  };
}

function placeOf({ session_id: sessionId, environment, service }: RevocationRow): TokenPlace {
  return { sessionId, environment, service };
}
