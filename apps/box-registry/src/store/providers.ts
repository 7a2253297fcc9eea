import { randomUUID } from 'node:crypto';
import { newId } from '@gatehouse/service-kit/ids';
import { isUniqueViolation } from '@gatehouse/service-kit/store';
import type { Selectable } from 'kysely';
import type { Provider } from '../domain/box.ts';
import type { Checksum, Digests } from '../domain/checksum.ts';
import { nameKey } from '../domain/names.ts';
import { notFound, unprocessable } from '../domain/refusal.ts';
import type { RegistryStore, RegistryWriter } from './database.ts';
import { imageKeysOf } from './image-keys.ts';
import type { ProviderTable } from './schema.ts';

/** What may change of a provider; members left out stay, null takes a value away. */
export interface ProviderChange {
  readonly name?: string;
  readonly url?: string | null;
  readonly checksum?: Checksum | null;
}

/** Providers of versions. */
export interface ProviderStore {
  get(id: string): Provider | undefined;
  find(versionId: string, name: string): Provider | undefined;
  /** @throws Refusal `unprocessable` when there is one of this name, `not found` */
  create(
    versionId: string,
    provider: { readonly name: string; readonly url: string | null; readonly checksum: Checksum | null },
    now: number,
  ): Promise<Provider>;
  /**
   * A url takes the place of an image in the registry; `removed` has the key of that image.
   * @throws Refusal `unprocessable` when there is another one of the name, `not found`
   */
  update(
    id: string,
    change: ProviderChange,
    now: number,
  ): Promise<{ readonly provider: Provider; readonly removed: readonly string[] }>;
  /** Notes checksums that were computed of the image `key`, if it is still the provider's. */
  recordDigests(id: string, key: string, digests: Digests): Promise<void>;
  /** Counts a download, of the provider and of its box. */
  countDownload(id: string): Promise<void>;
  /** Deletes a provider; answers the keys of images that nothing refers to any more. @throws Refusal `not found` */
  remove(id: string): Promise<readonly string[]>;
}

/** Providers in the store of the box registry. */
export function providerStore(store: RegistryStore): ProviderStore {
  const { build } = store;
  const all = build.selectFrom('provider').selectAll();
  const one = (row: Selectable<ProviderTable> | undefined) =>
    row === undefined ? undefined : toProvider(row);

  return {
    get: (id) => one(store.get(all.where('id', '=', id).compile())),

    find: (versionId, name) =>
      one(store.get(all.where('version_id', '=', versionId).where('name_key', '=', nameKey(name)).compile())),

    create: (versionId, { name, url, checksum }, now) =>
      store.write((tx) => {
        const version = tx.get(
          tx.build.selectFrom('version').select('id').where('id', '=', versionId).compile(),
        );
        if (version === undefined) throw notFound();
        const row: ProviderTable = {
          id: newId('prov'),
          version_id: versionId,
          name,
          name_key: nameKey(name),
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
        return toProvider(row);
      }),

    update: (id, { name, url, checksum }, now) =>
      store.write((tx) => {
        const before = requireProvider(tx, id);
        const leaves = url !== undefined && url !== null;
        const removed = leaves ? imageKeysOf(tx, 'provider', id) : [];
        const values = {
          ...(name !== undefined && { name, name_key: nameKey(name) }),
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
        return { provider: toProvider(requireProvider(tx, id)), removed };
      }),

    async recordDigests(id, key, digests) {
      await store.write((tx) => {
        const row = tx.get(all.where('id', '=', id).where('image_key', '=', key).compile());
        const image = row === undefined ? null : toProvider(row).image;
        if (image === null) return;
        const image_digests = JSON.stringify({ ...image.digests, ...digests });
        tx.run(tx.build.updateTable('provider').set({ image_digests }).where('id', '=', id).compile());
      });
    },

    async countDownload(id) {
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
      });
    },

    remove: (id) =>
      store.write((tx) => {
        const keys = imageKeysOf(tx, 'provider', id);
        if (tx.run(tx.build.deleteFrom('provider').where('id', '=', id).compile()) === 0) throw notFound();
        return keys;
      }),
  };
}

/** A row of the table. */
export function toProvider(row: Selectable<ProviderTable>): Provider {
  return {
    id: row.id,
    versionId: row.version_id,
    name: row.name,
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

/** Checksums as they are stored. */
export function readDigests(text: string | null): Digests {
  return text === null ? {} : (JSON.parse(text) as Digests);
}

function requireProvider(tx: RegistryWriter, id: string): Selectable<ProviderTable> {
  const row = tx.get(tx.build.selectFrom('provider').selectAll().where('id', '=', id).compile());
  if (row === undefined) throw notFound();
  return row;
}

function uniquely(statement: () => number): void {
  try {
    statement();
  } catch (error) {
    if (isUniqueViolation(error)) throw unprocessable('Metadata provider must be unique for version');
    throw error;
  }
}
