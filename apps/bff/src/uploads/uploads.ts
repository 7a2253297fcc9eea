/** Stored uploads: at most one for each provider of a run. */
import { problemCodes } from '@gatehouse/api-types/console/problem';
import type { PickedFile, Upload, UploadState } from '@gatehouse/api-types/console/publish-uploads';
import { uploadsPath } from '@gatehouse/api-types/console/publish-uploads';
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { RawBuilder, SqlBool } from 'kysely';
import type { EnvironmentConfig } from '#config/config.ts';
import { ProblemError } from '#ground/problem.ts';
import { countedIds } from '#session/people.ts';
import type { Database } from '#store/database.ts';
import { changeIn } from '#store/lease.ts';
import type { PublishUploadRow } from '#store/schema.ts';
import { fileStates as kept } from './file-states.ts';
import { promisedAhead, takenBeside, uploadsInSpool } from './in-spool.ts';
import type { RunOwner } from './runs.ts';
import type { Spool } from './spool.ts';
import type { UnusableImage } from './unusable-image.ts';

/** The provider and run of an upload. */
export interface UploadPlace extends RunOwner {
  readonly runId: string;
  readonly providerId: string;
}

export interface Uploads {
  /**
   * The upload of a file: the existing one, or a new one in place of a failed or ended one.
   * @throws ProblemError `conflict` while another file is on its way there, `storage-full`
   */
  begin(place: UploadPlace, file: PickedFile): Promise<PublishUploadRow>;
  /** Ensures that there is room for the next bytes of an upload. @throws ProblemError `storage-full` */
  checkRoom(row: PublishUploadRow, bytes: number): Promise<void>;
  get(id: string): Promise<PublishUploadRow | undefined>;
  of(runId: string, providerId: string): Promise<PublishUploadRow | undefined>;
  ofRuns(runIds: readonly string[]): Promise<readonly PublishUploadRow[]>;
  /** A user's uploads of one file, newest first. */
  find(owner: RunOwner, size: number, fingerprint: string): Promise<readonly PublishUploadRow[]>;
  /**
   * Changes an upload that is in one of these states.
   * @param worker the delivering process, if the change is part of the delivery
   * @param only a further condition
   * @returns whether the upload was changed
   */
  change(
    id: string,
    from: readonly UploadState[],
    to: Partial<PublishUploadRow>,
    worker?: string,
    only?: RawBuilder<SqlBool>,
  ): Promise<boolean>;
  /** Advances the offset, unless someone else did. @returns whether it was advanced */
  commit(row: PublishUploadRow, received: number): Promise<boolean>;
  /** Drops what can't become the image, so that the file must be sent again. @param worker like in `change` */
  giveUp(id: string, problem: UnusableImage, worker?: string): Promise<void>;
  /**
   * This console's folder lacks bytes of an upload. The upload is given up unless another console may have them.
   * @returns the error to answer
   */
  missing(id: string, problem: UnusableImage): Promise<ProblemError>;
  /** Drops the received bytes. @returns the upload afterwards: a delivered one stays as it is */
  drop(id: string, state: 'cancelled' | 'expired'): Promise<PublishUploadRow | undefined>;
  /** Drops uploads that nobody continues. */
  sweep(): Promise<void>;
  /** Removes unknown files that weren't written to for an hour. @param others IDs of files that aren't uploads */
  sweepFiles(others: () => Promise<readonly string[]>): Promise<void>;
}

/** How long an upload waits for its first bytes, in milliseconds. */
const firstBytesWithin = 3_600_000;
/** How long an upload waits for more bytes, or for its delivery, in milliseconds. */
const lifetime = 7 * 24 * 3_600_000;
/** Time without writes after which an unknown file is removed, in milliseconds. */
const leftOver = 3_600_000;

/** States in which a complete file waits, unless it is being delivered. */
const waiting = ['received', 'failed'] as const;
/** Most uploads of one account at the same time. */
const ownLimit = 100;
const gone = {
  retry: 'send',
  session_id: null,
  token_id: null,
  sealed_token: null,
  worker: null,
  lease_until: 0,
  expires_at: null,
} as const;
const going = ['receiving', 'received', 'delivering', 'verifying'] as const;

export function createUploads(
  database: Database,
  clock: Clock,
  spool: Spool,
  environments: readonly EnvironmentConfig[],
): Uploads {
  const { build } = database;
  /** Room is reserved for one upload after the other. */
  let promising: Promise<unknown> = Promise.resolve();
  const byId = (id: string) => build.selectFrom('publish_upload').selectAll().where('id', '=', id).compile();
  const of: Uploads['of'] = (runId, providerId) =>
    database.get(
      build
        .selectFrom('publish_upload')
        .selectAll()
        .where('run_id', '=', runId)
        .where('provider_id', '=', providerId)
        .compile(),
    );
  const change: Uploads['change'] = (id, from, to, worker, only) =>
    changeIn({ database, clock }, 'publish_upload', { id, from, worker, only }, to);
  const giveUp: Uploads['giveUp'] = async (id, { code, message }, worker) => {
    const to = {
      ...gone,
      state: 'failed',
      received: 0,
      sha256: null,
      problem_code: code,
      problem_detail: message,
    } as const;
    if (await change(id, kept, to, worker)) void spool.remove(id);
  };

  const insert = async (place: UploadPlace, file: PickedFile, before?: PublishUploadRow) => {
    const ids = countedIds(environments, place.personId);
    const uploads = (await uploadsInSpool(database)).filter(({ person_id }) => ids.includes(person_id));
    if (uploads.length >= ownLimit) {
      throw new ProblemError(
        'storage-full',
        `You have ${uploads.length} uploads in progress. Wait until some are delivered, or cancel one.`,
      );
    }
    const replaced = { id: before?.id ?? '', received: 0, person_id: place.personId };
    const taken = await takenBeside(database, environments, replaced);
    await spool.checkRoom(file.size, taken, Math.min(file.size, promisedAhead));
    const now = clock.now();
    const row: PublishUploadRow = {
      id: `pu_${randomBase62(24)}`,
      run_id: place.runId,
      provider_id: place.providerId,
      environment: place.environment,
      person_id: place.personId,
      file_name: file.name,
      size: file.size,
      last_modified: file.last_modified,
      fingerprint: file.fingerprint,
      state: 'receiving',
      received: 0,
      delivered: 0,
      attempts: 0,
      delivery_started_at: null,
      sha256: null,
      problem_code: null,
      problem_detail: null,
      retry: null,
      session_id: null,
      token_id: null,
      sealed_token: null,
      token_expires_at: null,
      username: null,
      worker: null,
      lease_until: 0,
      created_at: now,
      updated_at: now,
      expires_at: now + firstBytesWithin,
    };
    await database.batch([
      build
        .deleteFrom('publish_upload')
        .where('id', '=', before?.id ?? '')
        .compile(),
      // Another console may have begun one since.
      build
        .insertInto('publish_upload')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
    ]);
    if (before !== undefined) void spool.remove(before.id);
    if ((await database.get(byId(row.id))) === undefined) {
      throw new ProblemError(
        'conflict',
        'A file is already being uploaded for this provider. Reload the page.',
      );
    }
    return row;
  };

  return {
    begin(place, file) {
      const begun = promising.then(async () => {
        const before = await of(place.runId, place.providerId);
        if (before === undefined) return insert(place, file);
        const isSame = before.fingerprint === file.fingerprint && before.size === file.size;
        const isGoing = going.some((state) => state === before.state);
        // A received upload needs only its delivery.
        const isUsable = isGoing || before.state === 'done' || before.retry === 'deliver';
        if (isSame && isUsable) return before;
        if (isGoing) {
          throw new ProblemError(
            'conflict',
            `Another file, ${before.file_name}, is already being uploaded for this provider. Cancel that upload first.`,
          );
        }
        return insert(place, file, before);
      });
      promising = begun.catch(() => undefined);
      return begun;
    },
    checkRoom: async (row, bytes) => spool.checkRoom(bytes, await takenBeside(database, environments, row)),
    get: (id) => database.get(byId(id)),
    of,
    async ofRuns(runIds) {
      if (runIds.length === 0) return [];
      return database.all(
        build
          .selectFrom('publish_upload')
          .selectAll()
          .where('run_id', 'in', [...runIds])
          .compile(),
      );
    },
    find: ({ personId, environment }, size, fingerprint) =>
      database.all(
        build
          .selectFrom('publish_upload')
          .selectAll()
          .where('person_id', '=', personId)
          .where('environment', '=', environment)
          .where('size', '=', size)
          .where('fingerprint', '=', fingerprint)
          .where('state', 'not in', ['cancelled', 'expired'])
          .orderBy('updated_at', 'desc')
          .limit(20)
          .compile(),
      ),
    change,
    async commit(row, received) {
      const whole = received === row.size;
      const now = clock.now();
      const changed = await database.run(
        build
          .updateTable('publish_upload')
          .set({
            received,
            updated_at: now,
            expires_at: whole ? null : now + lifetime,
            ...(whole && { state: 'received' }),
          })
          .where('id', '=', row.id)
          .where('received', '=', row.received)
          .where('state', '=', 'receiving')
          .compile(),
      );
      if (changed === 1) return true;
      // If the upload was dropped just before the file was opened, the write created the file again.
      const stored = await this.get(row.id);
      if (stored === undefined || !kept.some((state) => state === stored.state)) await spool.remove(row.id);
      return false;
    },
    giveUp,
    async missing(id, problem) {
      if (database.shared) {
        return new ProblemError(
          'service-unavailable',
          'The part of this file that was received is stored at another console. The upload resumes when that console responds. To send the whole file again, cancel the upload first.',
        );
      }
      await giveUp(id, problem);
      return problem;
    },
    async drop(id, state) {
      await change(id, kept, { ...gone, state, problem_code: null, problem_detail: null });
      void spool.remove(id);
      return this.get(id);
    },
    async sweep() {
      const old = await database.all(
        build
          .selectFrom('publish_upload')
          .select('id')
          .where((eb) =>
            eb.or([
              eb.and([eb('state', '=', 'receiving'), eb('expires_at', '<=', clock.now())]),
              eb.and([
                eb('state', 'in', waiting),
                eb('sealed_token', 'is', null),
                eb('updated_at', '<=', clock.now() - lifetime),
              ]),
            ]),
          )
          .compile(),
      );
      for (const { id } of old) await this.drop(id, 'expired');
    },
    async sweepFiles(others) {
      await spool.sweep(
        async () => new Set([...(await uploadsInSpool(database)).map(({ id }) => id), ...(await others())]),
        leftOver,
      );
    },
  };
}

/** An upload for the page. */
export function uploadAnswer(row: PublishUploadRow): Upload {
  const code = problemCodes.find((one) => one === row.problem_code);
  return {
    id: row.id,
    path: `${uploadsPath}/${row.id}`,
    file: {
      name: row.file_name,
      size: row.size,
      last_modified: row.last_modified,
      fingerprint: row.fingerprint,
    },
    state: row.state as UploadState,
    received: row.received,
    delivered: row.delivered,
    attempts: row.attempts,
    delivery_started_time: timeOf(row.delivery_started_at),
    sha256: row.sha256,
    problem: code === undefined ? null : { code, detail: row.problem_detail ?? '' },
    retry: row.retry === 'deliver' || row.retry === 'send' ? row.retry : null,
    expires_time: timeOf(isWaiting(row) ? row.updated_at + lifetime : row.expires_at),
    token_expires_time: timeOf(row.token_expires_at),
    created_time: new Date(row.created_at).toISOString(),
    updated_time: new Date(row.updated_at).toISOString(),
  };
}

/** Whether a complete file waits for its delivery. */
export function isWaiting({ state, sealed_token, retry }: PublishUploadRow): boolean {
  return waiting.some((one) => one === state) && sealed_token === null && retry !== 'send';
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
