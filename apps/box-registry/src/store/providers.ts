import { randomUUID } from 'node:crypto';
import { dayOf } from '@gatehouse/service-kit/clock';
import { newId } from '@gatehouse/service-kit/ids';
import { isUniqueViolation } from '@gatehouse/service-kit/store';
import { sql, type Selectable } from 'kysely';
import { unknownArchitecture } from '../domain/box.ts';
import type { Provider } from '../domain/box.ts';
import type { Checksum, Digests } from '../domain/checksum.ts';
import { nameKey } from '../domain/names.ts';
import { notFound, unprocessable } from '../domain/refusal.ts';
import { sizeVersion } from './answer-size.ts';
import type { RegistryStore, RegistryWriter } from './database.ts';
import { imageKeysOf } from './image-keys.ts';
import type { ProviderTable } from './schema.ts';

export interface NewProvider {
  readonly name: string;
  /** Undefined for clients without architectures: the name must be new, and the architecture becomes `unknown`. */
  readonly architecture: string | undefined;
  /** Whether it becomes the default of its name. The first provider of a name always does. */
  readonly isDefault: boolean;
  readonly url: string | null;
  readonly checksum: Checksum | null;
}

/** The fields of a provider to change. Missing fields keep their values; null clears a value. */
export interface ProviderChange {
  readonly name?: string;
  readonly architecture?: string;
  /** True makes it the default of its name, in place of the former default. */
  readonly isDefault?: boolean;
  /** True for clients without architectures: no other provider may have the new name, in any architecture. */
  readonly nameMustBeNew?: boolean;
  readonly url?: string | null;
  readonly checksum?: Checksum | null;
}

/** The days whose downloads are kept. */
const keptDays = 366;

export type ProviderStore = ReturnType<typeof providerStore>;

/** Stores the providers of versions. Among those of one name in a version, exactly one is the default. */
export function providerStore(store: RegistryStore) {
  const { build } = store;
  const all = build.selectFrom('provider').selectAll();
  const one = (row: Selectable<ProviderTable> | undefined) =>
    row === undefined ? undefined : toProvider(row);

  return {
    get: (id: string): Provider | undefined => one(store.get(all.where('id', '=', id).compile())),

    /** @param architecture the default of the name if missing */
    find(versionId: string, name: string, architecture?: string): Provider | undefined {
      const named = all.where('version_id', '=', versionId).where('name_key', '=', nameKey(name));
      return one(
        store.get(
          (architecture === undefined
            ? named.where('is_default', '=', 1)
            : named.where('architecture_key', '=', nameKey(architecture))
          ).compile(),
        ),
      );
    },

    /**
     * @throws Refusal `unprocessable` if the name and architecture are taken, or the version or box would be too
     * large; `not found`
     */
    create: (
      versionId: string,
      { name, architecture, isDefault, url, checksum }: NewProvider,
      now: number,
    ): Promise<Provider> =>
      store.write((tx) => {
        const version = tx.get(
          tx.build.selectFrom('version').select('id').where('id', '=', versionId).compile(),
        );
        if (version === undefined) throw notFound();
        const siblings = namedAlike(tx, versionId, nameKey(name));
        if (architecture === undefined && siblings.length > 0) throw taken();
        const becomesDefault = isDefault || siblings.length === 0;
        if (becomesDefault) endDefault(tx, siblings, now);
        const row: ProviderTable = {
          id: newId('prov'),
          version_id: versionId,
          name: spelled(name, siblings),
          name_key: nameKey(name),
          architecture: architecture ?? unknownArchitecture,
          architecture_key: nameKey(architecture ?? unknownArchitecture),
          is_default: becomesDefault ? 1 : 0,
          url,
          checksum: checksum?.value ?? null,
          checksum_type: checksum?.type ?? null,
          hosted_token: url === null ? randomUUID() : null,
          image_key: null,
          image_size: null,
          image_digests: null,
          downloads: 0,
          created_time: now,
          updated_time: now,
        };
        uniquely(() => tx.run(tx.build.insertInto('provider').values(row).compile()));
        sizeVersion(tx, versionId);
        return toProvider(row);
      }),

    /**
     * A URL replaces an image in the registry; `removed` then has the image's key.
     * @throws Refusal `unprocessable` if the name and architecture are taken, or if its name would keep providers
     * without a default; `not found`
     */
    update: (
      id: string,
      change: ProviderChange,
      now: number,
    ): Promise<{ readonly provider: Provider; readonly removed: readonly string[] }> =>
      store.write((tx) => {
        const { name, architecture, url, checksum } = change;
        const before = requireProvider(tx, id);
        const key = name === undefined ? before.name_key : nameKey(name);
        const others = namedAlike(tx, before.version_id, key).filter((row) => row.id !== id);
        const leaves = url !== undefined && url !== null;
        const removed = leaves ? imageKeysOf(tx, 'provider', id) : [];
        const values = {
          ...(name !== undefined && { name: spelled(name, others), name_key: key }),
          ...(architecture !== undefined && { architecture, architecture_key: nameKey(architecture) }),
          is_default: settleDefault(tx, before, change, others, now) ? 1 : 0,
          ...(checksum !== undefined && {
            checksum: checksum?.value ?? null,
            checksum_type: checksum?.type ?? null,
          }),
          ...(url === null && { url, hosted_token: before.hosted_token ?? randomUUID() }),
          ...(leaves && { url, hosted_token: null, image_key: null, image_size: null, image_digests: null }),
          updated_time: now,
        };
        uniquely(() => tx.run(tx.build.updateTable('provider').set(values).where('id', '=', id).compile()));
        if (leaves) tx.run(tx.build.deleteFrom('upload').where('provider_id', '=', id).compile());
        sizeVersion(tx, before.version_id);
        return { provider: toProvider(requireProvider(tx, id)), removed };
      }),

    /** Stores computed checksums of the image `key`, if it is still the provider's image. */
    async recordDigests(id: string, key: string, digests: Digests): Promise<void> {
      await store.write((tx) => {
        const row = tx.get(all.where('id', '=', id).where('image_key', '=', key).compile());
        const image = row === undefined ? null : toProvider(row).image;
        if (image === null) return;
        const image_digests = JSON.stringify({ ...image.digests, ...digests });
        tx.run(tx.build.updateTable('provider').set({ image_digests }).where('id', '=', id).compile());
      });
    },

    /** Counts a download of the provider and its box. Of a box, the days of one year are kept. */
    async countDownload(id: string, now: number): Promise<void> {
      const day = dayOf(now);
      await store.write((tx) => {
        tx.run(
          tx.build
            .updateTable('provider')
            .set((is) => ({ downloads: is('downloads', '+', 1) }))
            .where('id', '=', id)
            .compile(),
        );
        const box = tx.build
          .selectFrom('provider')
          .innerJoin('version', 'version.id', 'provider.version_id')
          .where('provider.id', '=', id)
          .select('version.box_id');
        tx.run(
          tx.build
            .updateTable('box')
            .set((is) => ({ downloads: is('downloads', '+', 1) }))
            .where('id', 'in', box)
            .compile(),
        );
        const known = tx.run(
          tx.build
            .updateTable('download')
            .set((is) => ({ count: is('count', '+', 1) }))
            .where('box_id', 'in', box)
            .where('day', '=', day)
            .compile(),
        );
        if (known > 0) return;
        tx.run(
          tx.build
            .insertInto('download')
            .columns(['box_id', 'day', 'count'])
            .expression(box.select([sql.lit(day).as('day'), sql.lit(1).as('count')]))
            .compile(),
        );
        tx.run(
          tx.build
            .deleteFrom('download')
            .where('box_id', 'in', box)
            .where('day', '<=', day - keptDays)
            .compile(),
        );
      });
    },

    /**
     * Deletes a provider.
     * @returns the keys of images that are no longer referenced
     * @throws Refusal `unprocessable` for the default while its name has other architectures, `not found`
     */
    remove: (id: string): Promise<readonly string[]> =>
      store.write((tx) => {
        const keys = imageKeysOf(tx, 'provider', id);
        const row = requireProvider(tx, id);
        if (row.is_default === 1) refuseSiblings(tx, row, "can't be deleted");
        tx.run(tx.build.deleteFrom('provider').where('id', '=', id).compile());
        sizeVersion(tx, row.version_id);
        return keys;
      }),
  };
}

export function toProvider(row: Selectable<ProviderTable>): Provider {
  return {
    id: row.id,
    versionId: row.version_id,
    name: row.name,
    architecture: row.architecture,
    isDefault: row.is_default !== 0,
    url: row.url,
    checksum:
      row.checksum === null || row.checksum_type === null
        ? null
        : { type: row.checksum_type, value: row.checksum },
    hostedToken: row.hosted_token,
    image:
      row.image_key === null
        ? null
        : { key: row.image_key, size: row.image_size ?? 0, digests: readDigests(row.image_digests) },
    downloads: row.downloads,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
  };
}

/** Parses stored checksums. */
export function readDigests(text: string | null): Digests {
  return text === null ? {} : (JSON.parse(text) as Digests);
}

function requireProvider(tx: RegistryWriter, id: string): Selectable<ProviderTable> {
  const row = tx.get(tx.build.selectFrom('provider').selectAll().where('id', '=', id).compile());
  if (row === undefined) throw notFound();
  return row;
}

/** The providers of a name in a version, in any architecture. */
function namedAlike(tx: RegistryWriter, versionId: string, key: string): Selectable<ProviderTable>[] {
  return tx.all(
    tx.build
      .selectFrom('provider')
      .selectAll()
      .where('version_id', '=', versionId)
      .where('name_key', '=', key)
      .compile(),
  );
}

/** Clients distinguish names by case, so all providers of a name get the spelling of the first one. */
function spelled(name: string, [first]: readonly Selectable<ProviderTable>[]): string {
  return first?.name ?? name;
}

/**
 * Decides whether a provider is the default of its name after a change. A new default replaces the previous one.
 * @param others the other providers of its name after the change
 * @throws Refusal `unprocessable` if other providers would have no default
 */
function settleDefault(
  tx: RegistryWriter,
  before: Selectable<ProviderTable>,
  { name, isDefault, nameMustBeNew = false }: ProviderChange,
  others: readonly Selectable<ProviderTable>[],
  now: number,
): boolean {
  const moves = name !== undefined && nameKey(name) !== before.name_key;
  const wasDefault = before.is_default === 1;
  if (wasDefault && moves) refuseSiblings(tx, before, "can't move to another provider");
  if (wasDefault && !moves) {
    if (isDefault === false) refuseSiblings(tx, before, 'must stay the default');
    return true;
  }
  if (moves && nameMustBeNew && others.length > 0) throw taken();
  if (isDefault !== true && others.length > 0) return false;
  endDefault(tx, others, now);
  return true;
}

/**
 * @param what the middle of the error sentence
 * @throws Refusal `unprocessable` if a default's name has other architectures
 */
function refuseSiblings(tx: RegistryWriter, row: Selectable<ProviderTable>, what: string): void {
  if (namedAlike(tx, row.version_id, row.name_key).length < 2) return;
  throw unprocessable(
    `${row.architecture} ${what}: it's the default architecture of ${row.name}, which has others. Make another one the default first`,
  );
}

function endDefault(tx: RegistryWriter, rows: readonly Selectable<ProviderTable>[], now: number): void {
  for (const row of rows) {
    if (row.is_default === 0) continue;
    const values = { is_default: 0, updated_time: now };
    tx.run(tx.build.updateTable('provider').set(values).where('id', '=', row.id).compile());
  }
}

/** The message by which Vagrant's clients recognize an existing provider. */
function taken() {
  return unprocessable('Metadata provider must be unique for version');
}

function uniquely(statement: () => number): void {
  try {
    statement();
  } catch (error) {
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
}
