/** Stored publishing runs: the plan with each step's result, and the log. */
import {
  publishRun,
  runProvider,
  type PublishRun,
  type PublishStep,
} from '@gatehouse/api-types/console/publish';
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import { sql, type SelectQueryBuilder } from 'kysely';
import * as z from 'zod/mini';
import { ProblemError } from '#ground/problem.ts';
import { renewedSeal, type TokenSeal } from '#session/token-seal.ts';
import type { Database } from '#store/database.ts';
import type { PublishRunRow, Schema } from '#store/schema.ts';

const storedPlan = z.object({
  box: publishRun.shape.box,
  version: publishRun.shape.version,
  providers: z.array(
    z.object({
      ...z.omit(runProvider, { upload: true, ready: true }).shape,
      /** Whether the registry had an image of the provider when the step used the existing one. */
      had_image: z.boolean(),
      /** The registry's image that the user allowed to be replaced. Unknown properties are null or empty. */
      may_replace: z.nullable(z.object({ size: z.nullable(z.number()), checksum: z.string() })),
      /** Whether the user allowed the image to be added to a released version. Older consoles don't say. */
      may_add: z._default(z.boolean(), false),
    }),
  ),
  release: publishRun.shape.release,
});
/** The plan with its results. */
export type StoredPlan = z.output<typeof storedPlan>;
export type StoredProvider = StoredPlan['providers'][number];

export interface StoredRun {
  readonly id: string;
  readonly environment: string;
  readonly personId: string;
  readonly state: PublishRun['state'];
  readonly revision: string;
  readonly plan: StoredPlan;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Whose runs, and where. */
export interface RunOwner {
  readonly personId: string;
  readonly environment: string;
}

export const planned: PublishStep = { state: 'planned', outcome: null, problem: null, time: null };

export type Runs = ReturnType<typeof createRuns>;

/** Most open runs of one account in all environments, ended runs, and runs of one list. */
export const runLimit = 100;
const logLimit = 200;
/** How long an ended run is kept after its last change, in milliseconds. */
const keptFor = 90 * 24 * 3_600_000;

/** @param seal encrypts plans, because addresses of images may contain credentials */
export function createRuns(database: Database, clock: Clock, seal: TokenSeal) {
  const { build } = database;
  let lines = 0;
  const find = async (runId: string): Promise<StoredRun | undefined> => {
    const row = await database.get(
      build.selectFrom('publish_run').selectAll().where('id', '=', runId).compile(),
    );
    return row === undefined ? undefined : openedRun(seal, row);
  };
  const without = (ids: string[] | SelectQueryBuilder<Schema, 'publish_run', { id: string }>) => [
    build.deleteFrom('publish_event').where('run_id', 'in', ids).compile(),
    build.deleteFrom('publish_upload').where('run_id', 'in', ids).compile(),
    build.deleteFrom('publish_run').where('id', 'in', ids).compile(),
  ];
  const replace = async (run: StoredRun, plan: StoredPlan): Promise<boolean> => {
    const changed = await database.run(
      build
        .updateTable('publish_run')
        .set({ plan: sealed(seal, run, plan), revision: Number(run.revision) + 1, updated_at: clock.now() })
        .where('id', '=', run.id)
        .where('revision', '=', Number(run.revision))
        .compile(),
    );
    return changed === 1;
  };
  return {
    async create(owner: RunOwner, plan: StoredPlan): Promise<StoredRun> {
      const now = clock.now();
      const id = `pr_${randomBase62(16)}`;
      const row: PublishRunRow = {
        id,
        environment: owner.environment,
        person_id: owner.personId,
        state: 'open',
        revision: 1,
        plan: sealed(seal, { id, environment: owner.environment }, plan),
        created_at: now,
        updated_at: now,
      };
      await database.run(build.insertInto('publish_run').values(row).compile());
      return storedRun(row, JSON.stringify(plan));
    },
    /** Any user's run, for the console itself. */
    find,
    /** @returns undefined if the user has no such run there */
    async get({ personId, environment }: RunOwner, runId: string): Promise<StoredRun | undefined> {
      const run = await find(runId);
      return run?.personId === personId && run.environment === environment ? run : undefined;
    },
    /** The newest 100 runs, newest first. Each is decrypted only when it is requested, because plans may be large. */
    async *list({ personId, environment }: RunOwner, ended: boolean): AsyncIterable<StoredRun> {
      const rows = await database.all(
        build
          .selectFrom('publish_run')
          .select('id')
          .where('person_id', '=', personId)
          .where('environment', '=', environment)
          .where('state', ended ? '<>' : '=', 'open')
          .orderBy('updated_at', 'desc')
          .limit(runLimit)
          .compile(),
      );
      for (const row of rows) {
        const run = await find(row.id);
        if (run !== undefined) yield run;
      }
    },
    /** The number of open runs of these users, including those that can no longer be decrypted. */
    async countOpen(personIds: readonly string[]): Promise<number> {
      const counted = await database.get(
        build
          .selectFrom('publish_run')
          .select(build.fn.countAll().as('count'))
          .where('person_id', 'in', [...personIds])
          .where('state', '=', 'open')
          .compile(),
      );
      return Number(counted?.count ?? 0);
    },
    /**
     * Changes the current plan, and repeats that if someone else was faster.
     * @returns the run afterwards; undefined if there is none
     */
    async change(runId: string, change: (plan: StoredPlan) => StoredPlan): Promise<StoredRun | undefined> {
      for (;;) {
        const run = await find(runId);
        if (run === undefined || (await replace(run, change(run.plan)))) return find(runId);
      }
    },
    /** Replaces the plan unless it already has another revision. @returns whether the plan was replaced */
    replace,
    /**
     * Ends an open run. Saves of its plan that began before fail.
     * @param revision ends the run only if it still has this revision
     * @returns whether the run was open and had it
     */
    async end(runId: string, state: 'released' | 'abandoned', revision?: string): Promise<boolean> {
      const open = build
        .updateTable('publish_run')
        .set({ state, revision: sql`revision + 1`, updated_at: clock.now() })
        .where('id', '=', runId)
        .where('state', '=', 'open');
      const one = revision === undefined ? open : open.where('revision', '=', Number(revision));
      return (await database.run(one.compile())) === 1;
    },
    async log(
      runId: string,
      text: string,
      { provider = null, failed = false }: { provider?: string | null; failed?: boolean } = {},
    ): Promise<void> {
      const at = clock.now();
      lines += 1;
      const lineId = `${String(at).padStart(15, '0')}-${String(lines).padStart(9, '0')}-${randomBase62(4)}`;
      await database.run(
        build
          .insertInto('publish_event')
          .values({ run_id: runId, id: lineId, at, provider, text, failed: failed ? 1 : 0 })
          .compile(),
      );
    },
    async readLog(runId: string): Promise<PublishRun['log']> {
      const rows = await database.all(
        build
          .selectFrom('publish_event')
          .selectAll()
          .where('run_id', '=', runId)
          .orderBy('id', 'desc')
          .limit(logLimit)
          .compile(),
      );
      return rows.toReversed().map(({ at, provider, text, failed }) => ({
        time: new Date(at).toISOString(),
        provider,
        text,
        failed: failed !== 0,
      }));
    },
    /** Encrypts plans under the newest key. */
    async renewSeals(): Promise<void> {
      for (const { id } of await database.all(build.selectFrom('publish_run').select('id').compile())) {
        const row = await database.get(
          build.selectFrom('publish_run').selectAll().where('id', '=', id).compile(),
        );
        const anew = row === undefined ? undefined : renewedSeal(seal, row.plan, placeOf(row));
        if (row === undefined || anew === undefined) continue;
        await database.run(
          build
            .updateTable('publish_run')
            .set({ plan: anew })
            .where('id', '=', id)
            .where('plan', '=', row.plan)
            .compile(),
        );
      }
    },
    /** Deletes the oldest ended runs of an account's users if there are as many as are kept, to make room for one. */
    async forgetEnded(personIds: readonly string[]): Promise<void> {
      const oldest = await database.all(
        build
          .selectFrom('publish_run')
          .select('id')
          .where('person_id', 'in', [...personIds])
          .where('state', '<>', 'open')
          .orderBy('updated_at', 'desc')
          .limit(runLimit)
          .offset(runLimit - 1)
          .compile(),
      );
      if (oldest.length > 0) await database.batch(without(oldest.map(({ id }) => id)));
    },
    /** Deletes runs that ended long ago. */
    async sweep(): Promise<void> {
      const old = build
        .selectFrom('publish_run')
        .select('id')
        .where('state', '<>', 'open')
        .where('updated_at', '<', clock.now() - keptFor);
      await database.batch(without(old));
    },
  };
}

type RunPlace = Pick<PublishRunRow, 'id' | 'environment'>;

function placeOf({ id, environment }: RunPlace) {
  return { sessionId: id, environment, service: 'publish-plan' };
}

function sealed(seal: TokenSeal, place: RunPlace, plan: StoredPlan): string {
  return seal.seal(JSON.stringify(plan), placeOf(place));
}

/** A run; undefined if its plan can't be decrypted, because its key is gone or it is another run's. */
function openedRun(seal: TokenSeal, row: PublishRunRow): StoredRun | undefined {
  try {
    return storedRun(row, seal.open(row.plan, placeOf(row)));
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

function storedRun(row: PublishRunRow, plan: string): StoredRun {
  return {
    id: row.id,
    environment: row.environment,
    personId: row.person_id,
    state: z.parse(publishRun.shape.state, row.state),
    revision: String(row.revision),
    plan: z.parse(storedPlan, JSON.parse(plan)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** @throws ProblemError `invalid-request` if the run has ended */
export function checkOpen({ state }: StoredRun): void {
  if (state !== 'open') throw new ProblemError('invalid-request', `This run was already ${state}.`);
}
