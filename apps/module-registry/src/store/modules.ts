import type { ModuleContent, ModuleFolder, Problem } from '@gatehouse/module-archive/module-content';
import { sql } from 'kysely';
import { moduleTag, versionTag } from '../domain/entity-tag.ts';
import type { Seen } from '../domain/entity-tag.ts';
import type {
  Deprecation,
  Module,
  ModuleAddress,
  Needs,
  VersionChoice,
  VersionSummary,
} from '../domain/module.ts';
import { Refusal, notFound } from '../domain/refusal.ts';
import { newestOf, withoutBuild } from '../domain/version-number.ts';
import type { RegistryReader, RegistryStore, RegistryWriter } from './database.ts';
import { moduleList } from './module-list.ts';
import { readDeprecation, summaryColumns, toModule, toSummary } from './module-rows.ts';

/** A version to publish. */
export interface NewVersion extends Omit<
  VersionSummary,
  'id' | 'moduleId' | 'deprecation' | 'publishedTime'
> {
  readonly content: ModuleContent;
}

/** Bytes of a version's folders read at a time. */
const foldersAtOnce = 64 * 1024;

/** Versions read at a time: each deprecation has up to 1,500 characters. */
const choicesAtOnce = 50;

export type ModuleStore = ReturnType<typeof moduleStore>;

/** Stores modules and their versions. */
export function moduleStore(store: RegistryStore) {
  const { build } = store;
  const selectVersions = build.selectFrom('version').where('deleted_time', 'is', null);

  const find = (reader: RegistryReader, address: ModuleAddress): Module | undefined => {
    const row = reader.get(
      reader.build
        .selectFrom('module')
        .selectAll()
        .where('namespace', '=', address.namespace)
        .where('name', '=', address.name)
        .where('provider', '=', address.provider)
        .compile(),
    );
    return row === undefined ? undefined : toModule(row);
  };

  return {
    list: moduleList(store),

    find: (address: ModuleAddress): Module | undefined => find(store, address),

    /** The providers of a name's modules that have a latest version: usually one, at most 100. */
    providers: ({ namespace, name }: Pick<ModuleAddress, 'namespace' | 'name'>): readonly string[] =>
      store
        .all(
          build
            .selectFrom('module')
            .select('provider')
            .where('namespace', '=', namespace)
            .where('name', '=', name)
            .where('latest_id', 'is not', null)
            .orderBy('id')
            .limit(100)
            .compile(),
        )
        .map(({ provider }) => provider),

    /** The numbers of a module's versions, in order of creation. */
    numbers: (moduleId: number): readonly string[] =>
      store
        .all(selectVersions.select('version').where('module_id', '=', moduleId).orderBy('id').compile())
        .map(({ version }) => version),

    /** The versions of a module, in order of creation. Reads a few at a time, since all of them may be megabytes. */
    *choices(moduleId: number): Generator<VersionChoice> {
      const all = store
        .all(
          build.selectFrom('version').select('id').where('module_id', '=', moduleId).orderBy('id').compile(),
        )
        .map(({ id }) => id);
      while (all.length > 0) {
        const rows = store.all(
          selectVersions
            .select(['id', 'version', 'deprecation', 'published_time'])
            .where('id', 'in', all.splice(0, choicesAtOnce))
            .orderBy('id')
            .compile(),
        );
        for (const { id, version, deprecation, published_time: publishedTime } of rows)
          yield { id, version, deprecation: readDeprecation(deprecation), publishedTime };
      }
    },

    version(moduleId: number, number: string): VersionSummary | undefined {
      const row = store.get(
        selectVersions
          .select(summaryColumns)
          .where('module_id', '=', moduleId)
          .where('version', '=', number)
          .compile(),
      );
      return row === undefined ? undefined : toSummary(row);
    },

    /** A version by its ID, unless it is deleted. */
    published(versionId: number): VersionSummary | undefined {
      const row = store.get(selectVersions.select(summaryColumns).where('id', '=', versionId).compile());
      return row === undefined ? undefined : toSummary(row);
    },

    /** The latest version of a module: the newest one that isn't revoked. */
    latest(moduleId: number): VersionSummary | undefined {
      const row = store.get(
        selectVersions
          .select(summaryColumns)
          .where('id', '=', (eb) => eb.selectFrom('module').select('latest_id').where('id', '=', moduleId))
          .compile(),
      );
      return row === undefined ? undefined : toSummary(row);
    },

    /** The files of a version's archive that couldn't be read. @throws Refusal `not found` if the version is deleted */
    problems(versionId: number): readonly Problem[] {
      const { problems } =
        store.get(selectVersions.select('problems').where('id', '=', versionId).compile()) ?? {};
      if (typeof problems !== 'string') throw deleted();
      return JSON.parse(problems) as Problem[];
    },

    /**
     * The JSON text of an object's last members and its end: `root`, `submodules` and `examples` with what was read
     * from a version's archive. For a large module, sending the text takes a fraction of the time of parsing and
     * formatting it. Reads a piece at a time, since all of it may be megabytes.
     * @throws Refusal `not found` if the version is deleted, also after the first piece
     */
    *folderMembers(versionId: number): Generator<string> {
      const decoder = new TextDecoder();
      for (let from = 2; ; from += foldersAtOnce) {
        // Of bytes, because SQLite counts the characters of a text from its start.
        const some = sql<Uint8Array | null>`substr(CAST(folders AS BLOB), ${from}, ${foldersAtOnce})`;
        const row = store.get(selectVersions.select(some.as('piece')).where('id', '=', versionId).compile());
        const piece = row?.piece;
        if (piece === undefined || piece === null) throw deleted();
        const isLast = piece.length < foldersAtOnce;
        yield decoder.decode(piece, { stream: !isLast });
        if (isLast) return;
      }
    },

    /** The needs of a version, unless it is deleted. */
    needs(versionId: number): Needs | undefined {
      const { needs } = store.get(selectVersions.select('needs').where('id', '=', versionId).compile()) ?? {};
      return typeof needs === 'string' ? (JSON.parse(needs) as Needs) : undefined;
    },

    /** @throws Refusal `conflict` if the number has been used before, or the module has no room for a version */
    requireFree(address: ModuleAddress, number: string): void {
      const module = find(store, address);
      if (module === undefined) return;
      requireFree(store, module.id, number);
      requireRoom(store, module.id);
    },

    /**
     * Publishes a version. Creates its module and namespace if they are new.
     * @throws Refusal `conflict` if the number has been used before, or the module has no room for a version
     */
    publish: (address: ModuleAddress, version: NewVersion, accountId: string, now: number): Promise<void> =>
      store.write((tx) => {
        tx.run(
          tx.build
            .insertInto('namespace')
            .values({ name: address.namespace, account_id: accountId, created_time: now })
            .onConflict((conflict) => conflict.doNothing())
            .compile(),
        );
        tx.run(
          tx.build
            .insertInto('module')
            .values({ ...address, verified: 0, latest_id: null, search: '', downloads: 0, created_time: now })
            .onConflict((conflict) => conflict.doNothing())
            .compile(),
        );
        const module = find(tx, address);
        if (module === undefined) throw notFound();
        requireFree(tx, module.id, version.version);
        requireRoom(tx, module.id);
        tx.run(
          tx.build
            .insertInto('version')
            .values({
              module_id: module.id,
              version: version.version,
              description: version.description,
              source: version.source,
              owner: version.owner,
              archive_key: version.archive.key,
              archive_size: version.archive.size,
              archive_sha256: version.archive.sha256,
              ...contentColumns(version.content),
              deprecation: null,
              published_time: now,
              deleted_time: null,
            })
            .compile(),
        );
        chooseLatest(tx, module.id);
      }),

    /** @param seen the state that must not have changed since @throws Refusal `not found`, `changed` */
    deprecate: (versionId: number, deprecation: Deprecation | null, seen?: Seen): Promise<void> =>
      store.write((tx) => {
        const moduleId = moduleOf(tx, versionId, seen);
        tx.run(
          tx.build
            .updateTable('version')
            .set({ deprecation: deprecation === null ? null : JSON.stringify(deprecation) })
            .where('id', '=', versionId)
            .compile(),
        );
        chooseLatest(tx, moduleId);
      }),

    /** @param seen the state that must not have changed since @throws Refusal `changed` */
    async verify(moduleId: number, verified: boolean, seen?: Seen): Promise<void> {
      await store.write((tx) => {
        const row = tx.get(
          tx.build.selectFrom('module').select('verified').where('id', '=', moduleId).compile(),
        );
        if (seen !== undefined && moduleTag({ id: moduleId, verified: row?.verified !== 0 }) !== seen.module)
          throw new Refusal('changed', 'Someone else changed the module at the same time');
        tx.run(
          tx.build
            .updateTable('module')
            .set({ verified: verified ? 1 : 0 })
            .where('id', '=', moduleId)
            .compile(),
        );
      });
    },

    /**
     * Deletes a version, but keeps its number.
     * @returns the key of its archive
     * @throws Refusal `not found`, `changed`
     */
    remove: (versionId: number, now: number, seen?: Seen): Promise<string> =>
      store.write((tx) => {
        const moduleId = moduleOf(tx, versionId, seen);
        const { archive_key } = tx.get(
          tx.build.selectFrom('version').select('archive_key').where('id', '=', versionId).compile(),
        ) ?? { archive_key: null };
        tx.run(
          tx.build
            .updateTable('version')
            .set({ deleted_time: now, archive_key: null, folders: null, needs: null, problems: null })
            .where('id', '=', versionId)
            .compile(),
        );
        tx.run(tx.build.deleteFrom('consumer').where('version_id', '=', versionId).compile());
        chooseLatest(tx, moduleId);
        return archive_key ?? '';
      }),

    /** Whether a version has this archive. */
    isReferred: (key: string): boolean =>
      store.get(build.selectFrom('version').select('id').where('archive_key', '=', key).compile()) !==
      undefined,
  };
}

function deleted(): Refusal {
  return notFound('The version has since been deleted');
}

function requireFree(reader: RegistryReader, moduleId: number, number: string): void {
  const row = reader.get(
    reader.build
      .selectFrom('version')
      .select(['version', 'deleted_time'])
      .where('module_id', '=', moduleId)
      .where(sql`instr(version || '+', ${`${withoutBuild(number)}+`})`, '=', 1)
      .compile(),
  );
  if (row === undefined) return;
  throw new Refusal(
    'conflict',
    row.deleted_time === null
      ? `Version ${row.version} already exists, and versions can't be changed: publish another number`
      : `Version ${row.version} was deleted, and its number can't be reused: publish another number`,
  );
}

/** Most versions of a module, deleted ones included: clients read all of them at once. */
const mostVersions = 2_000;

function requireRoom(reader: RegistryReader, moduleId: number): void {
  const versions = reader.build.selectFrom('version').where('module_id', '=', moduleId);
  const counted = reader.get(versions.select((of) => of.fn.countAll<number>().as('count')).compile());
  if ((counted?.count ?? 0) < mostVersions) return;
  throw new Refusal(
    'conflict',
    `A module can have at most ${mostVersions} versions, including deleted ones: publish under another name`,
  );
}

function moduleOf(tx: RegistryWriter, versionId: number, seen: Seen | undefined): number {
  const row = tx.get(
    tx.build
      .selectFrom('version')
      .select(['id', 'module_id', 'deprecation'])
      .where('id', '=', versionId)
      .where('deleted_time', 'is', null)
      .compile(),
  );
  if (row === undefined) throw notFound();
  const current = { id: row.id, deprecation: readDeprecation(row.deprecation) };
  if (seen !== undefined && versionTag(current) !== seen.version)
    throw new Refusal('changed', 'Someone else changed the version at the same time');
  return row.module_id;
}

/** Stores which version is the latest, and the text that searches look in. */
function chooseLatest(tx: RegistryWriter, moduleId: number): void {
  const rows = tx
    .all(
      tx.build
        .selectFrom('version')
        .select(['id', 'version', 'description', 'deprecation'])
        .where('module_id', '=', moduleId)
        .where('deleted_time', 'is', null)
        .compile(),
    )
    .filter((row) => readDeprecation(row.deprecation)?.state !== 'revoked');
  const newest = newestOf(rows.map((row) => row.version));
  const latest = rows.find((row) => row.version === newest);
  const module = tx.get(tx.build.selectFrom('module').selectAll().where('id', '=', moduleId).compile());
  if (module === undefined) return;
  const { namespace, name, provider } = module;
  const search = `${namespace}/${name}/${provider} ${latest?.description ?? ''}`.toLowerCase();
  tx.run(
    tx.build
      .updateTable('module')
      .set({ latest_id: latest?.id ?? null, search })
      .where('id', '=', moduleId)
      .compile(),
  );
}

/** The columns for a version's content. */
export function contentColumns({ root, submodules, examples, problems }: ModuleContent) {
  const needsOf = ({ path, provider_dependencies, dependencies }: ModuleFolder) => ({
    path,
    provider_dependencies,
    dependencies,
  });
  const needs: Needs = { root: needsOf(root), submodules: submodules.map(needsOf) };
  return {
    folders: JSON.stringify({ root, submodules, examples }),
    needs: JSON.stringify(needs),
    problems: JSON.stringify(problems),
  };
}
