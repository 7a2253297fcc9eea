import { isUniqueViolation, withParameters } from '@gatehouse/service-kit/store';
import type { Store, Writer } from '@gatehouse/service-kit/store';
import type { CompiledQuery, SelectQueryBuilder } from 'kysely';
import { listTokenLifetime } from '../domain/list-token.ts';
import { Refusal, notFound } from '../domain/refusal.ts';
import type { Target } from '../domain/target/target.ts';
import type { Schema, TargetTable } from './schema.ts';

/** Where a page of a listing begins: after this target, in the order newest first. */
export interface AfterTarget {
  readonly createdTime: number;
  readonly id: string;
}

/** A target with the number of its last change. */
export interface ChangedTarget {
  readonly target: Target;
  readonly change: number;
}

/** Which targets a listing is of: those of one project, of all projects of an organisation, or all. */
export type Projects = { readonly project: string } | { readonly org: string } | 'all';

/** Targets on disk. */
export interface TargetStore {
  get(id: string): Target | undefined;
  /**
   * Stores a new target.
   * @throws Refusal `duplicate name`, `not found` when the project is gone
   */
  insert(target: Target): Promise<Target>;
  /**
   * Replaces a target by what `change` makes of it, if `version` is the current one.
   * @throws Refusal `not found or stale`, `duplicate name`, and what `change` throws
   */
  change(id: string, version: number, change: (current: Target) => Target): Promise<Target>;
  /** Removes a target. @throws Refusal `not found` */
  remove(id: string, now: number): Promise<void>;
  /** Up to `limit` targets, newest first. */
  page(projects: Projects, after: AfterTarget | undefined, limit: number): Target[];
  /** Up to `limit` targets changed after `since` and before `before`, last change first. */
  changedPage(projects: Projects, since: number, before: number, limit: number): ChangedTarget[];
  /** Ids of targets removed after change `since`. */
  removedSince(projects: Projects, since: number): string[];
  count(projects: Projects): number;
  /** The number of the last change of any target. */
  lastChange(): number;
}

/** Targets in the store of the access controller. */
export function targetStore(store: Store<Schema>): TargetStore {
  const { build } = store;
  const selectById = build.selectFrom('target').selectAll().where('id', '=', '').compile();
  const byId = (id: string) => withParameters(selectById, id);
  const countChanges = build.selectFrom('change_counter').select('value').compile();

  return {
    get(id) {
      const row = store.get(byId(id));
      return row === undefined ? undefined : toTarget(row);
    },

    insert: (target) =>
      store.write((tx) => {
        insertTarget(tx, target);
        return target;
      }),

    change: (id, version, change) =>
      store.write((tx) => {
        const row = tx.get(byId(id));
        if (row === undefined || row.version !== version) {
          throw new Refusal('not found or stale', `Target "${id}" not found or incorrect version provided.`);
        }
        const target = { ...change(toTarget(row)), version: row.version + 1 };
        const values = toRow(target, nextChange(tx));
        unlessNameTaken(target.name, () =>
          tx.run(build.updateTable('target').set(values).where('id', '=', id).compile()),
        );
        return target;
      }),

    remove: (id, now) =>
      store.write((tx) => {
        if (removeTargets(tx, [id], now) === 0) throw notFound();
      }),

    page(projects, after, limit) {
      let query = inProjects(build.selectFrom('target').selectAll(), projects);
      if (after !== undefined) {
        query = query.where((where) =>
          where(where.refTuple('created_time', 'id'), '<', where.tuple(after.createdTime, after.id)),
        );
      }
      const ordered = query.orderBy('created_time', 'desc').orderBy('id', 'desc').limit(limit);
      return store.all(ordered.compile()).map((row) => toTarget(row));
    },

    changedPage(projects, since, before, limit) {
      const query = inProjects(build.selectFrom('target').selectAll(), projects)
        .where('change', '>', since)
        .where('change', '<', before)
        .orderBy('change', 'desc')
        .limit(limit);
      return store.all(query.compile()).map((row) => ({ target: toTarget(row), change: row.change }));
    },

    removedSince(projects, since) {
      const all = build
        .selectFrom('removed_target')
        .select('id')
        .where('change', '>', since)
        .orderBy('change');
      // The scopes of removed targets may be gone with them: of an organisation every mark is told, wanted or not.
      const query =
        projects !== 'all' && 'project' in projects ? all.where('project_id', '=', projects.project) : all;
      return store.all(query.compile()).map((row) => row.id);
    },

    count(projects) {
      const query = inProjects(build.selectFrom('target'), projects).select((count) =>
        count.fn.countAll<number>().as('n'),
      );
      return store.get(query.compile())?.n ?? 0;
    },

    lastChange: () => store.get(countChanges)?.value ?? 0,
  };
}

/** Inserts a target in a write of the caller's. @throws Refusal `duplicate name`, `not found` when the project is gone */
export function insertTarget(tx: Writer<Schema>, target: Target): void {
  insertTargets(tx, target.projectId, [target]);
}

/**
 * Inserts targets of one project in a write of the caller's.
 * @throws Refusal `duplicate name`, `not found` when the project is gone
 */
export function insertTargets(tx: Writer<Schema>, projectId: string, targets: Iterable<Target>): void {
  const { build } = tx;
  const project = tx.get(build.selectFrom('scope').select('type').where('id', '=', projectId).compile());
  if (project?.type !== 'project') throw notFound();
  let change = tx.get(build.selectFrom('change_counter').select('value').compile())?.value ?? 0;
  let insert: CompiledQuery | undefined;
  for (const target of targets) {
    const row = toRow(target, ++change);
    insert =
      insert === undefined
        ? build.insertInto('target').values(row).compile()
        : withParameters(insert, ...Object.values(row));
    const statement = insert;
    unlessNameTaken(target.name, () => tx.run(statement));
  }
  tx.run(build.updateTable('change_counter').set({ value: change }).compile());
}

/** Removes targets in a write of the caller's, leaving a mark for refreshed listings; answers how many there were. */
export function removeTargets(tx: Writer<Schema>, ids: readonly string[], now: number): number {
  let removed = 0;
  for (const id of ids) {
    const row = tx.get(tx.build.selectFrom('target').select('project_id').where('id', '=', id).compile());
    if (row === undefined) continue;
    removed += tx.run(tx.build.deleteFrom('target').where('id', '=', id).compile());
    const mark = { id, project_id: row.project_id, change: nextChange(tx), removed_time: now };
    tx.run(tx.build.insertInto('removed_target').values(mark).compile());
  }
  // No token is older than this, so nobody will ask for older marks.
  tx.run(
    tx.build
      .deleteFrom('removed_target')
      .where('removed_time', '<', now - listTokenLifetime)
      .compile(),
  );
  return removed;
}

function nextChange(tx: Writer<Schema>): number {
  const { build } = tx;
  tx.run(
    build
      .updateTable('change_counter')
      .set((set) => ({ value: set('value', '+', 1) }))
      .compile(),
  );
  return tx.get(build.selectFrom('change_counter').select('value').compile())?.value ?? 0;
}

function unlessNameTaken(name: string, statement: () => number): void {
  try {
    statement();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Refusal(
      'duplicate name',
      'Invalid request.  Request attempted to make second resource with the same field value that must be unique.',
      [{ name: 'name', description: `The project has a target named ${JSON.stringify(name)} already.` }],
    );
  }
}

function inProjects<Output>(
  query: SelectQueryBuilder<Schema, 'target', Output>,
  projects: Projects,
): SelectQueryBuilder<Schema, 'target', Output> {
  if (projects === 'all') return query;
  if ('project' in projects) return query.where('project_id', '=', projects.project);
  return query.where('project_id', 'in', (scopes) =>
    scopes.selectFrom('scope').select('id').where('parent_id', '=', projects.org),
  );
}

function toRow(target: Target, change: number): TargetTable {
  const { attributes } = target;
  return {
    id: target.id,
    project_id: target.projectId,
    type: target.type,
    name: target.name,
    description: target.description,
    created_time: target.createdTime,
    updated_time: target.updatedTime,
    version: target.version,
    session_max_seconds: target.sessionMaxSeconds,
    session_connection_limit: target.sessionConnectionLimit,
    worker_filter: target.workerFilter,
    egress_worker_filter: target.egressWorkerFilter,
    ingress_worker_filter: target.ingressWorkerFilter,
    address: target.address,
    default_port: attributes.defaultPort,
    default_client_port: attributes.defaultClientPort,
    storage_bucket_id: attributes.storageBucketId,
    enable_session_recording: attributes.enableSessionRecording ? 1 : 0,
    change,
  };
}

function toTarget(row: TargetTable): Target {
  return {
    id: row.id,
    projectId: row.project_id,
    type: row.type,
    name: row.name,
    description: row.description,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
    version: row.version,
    sessionMaxSeconds: row.session_max_seconds,
    sessionConnectionLimit: row.session_connection_limit,
    workerFilter: row.worker_filter,
    egressWorkerFilter: row.egress_worker_filter,
    ingressWorkerFilter: row.ingress_worker_filter,
    address: row.address,
    attributes: {
      defaultPort: row.default_port,
      defaultClientPort: row.default_client_port,
      storageBucketId: row.storage_bucket_id,
      enableSessionRecording: row.enable_session_recording !== 0,
    },
    hostSources: [],
  };
}
