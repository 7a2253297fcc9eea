import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { matches } from '../domain/box.ts';
import type { StoredImage } from '../domain/box.ts';
import { checksumTypes } from '../domain/checksum.ts';
import { notFound, Refusal, unprocessable } from '../domain/refusal.ts';
import type { RegistryReader, RegistryStore, RegistryWriter } from './database.ts';
import { readDigests, toProvider } from './providers.ts';
import type { UploadTable } from './schema.ts';

/** A prepared upload. */
export interface Upload {
  /** A random UUID. */
  readonly id: string;
  readonly providerId: string;
  /** The account that requested it. */
  readonly accountId: string;
  /** The ID of the token that it was requested with; void without it. */
  readonly tokenId: string;
  /** Whether the received image needs a callback to become the provider's image. */
  readonly direct: boolean;
  readonly state: 'open' | 'received' | 'done';
  /** The received image, if it is still in the store. */
  readonly image: StoredImage | null;
  /** When its URL expires, in milliseconds since the epoch. */
  readonly expirationTime: number;
}

/** The result of a change of an upload: the keys of images that are no longer referenced. */
export interface UploadOutcome {
  readonly removed: readonly string[];
}

/** Most uploads of one account that wait for their image or for the callback, and haven't expired. */
export const mostOpen = 1_000;

/** Most expired uploads deleted in one write. */
const expiredAtOnce = 500;

export type UploadStore = ReturnType<typeof uploadStore>;

/** Stores the uploads of images. */
export function uploadStore(store: RegistryStore) {
  const { build } = store;

  return {
    get(id: string): Upload | undefined {
      const row = store.get(build.selectFrom('upload').selectAll().where('id', '=', id).compile());
      return row === undefined ? undefined : toUpload(row);
    },

    /** @throws Refusal `not found` if the provider is gone, `too many attempts` if the account has too many incomplete uploads */
    async create({
      providerId,
      accountId,
      tokenId,
      direct,
      expirationTime,
    }: Omit<Upload, 'id' | 'state' | 'image'>): Promise<Upload> {
      const row: UploadTable = {
        id: randomUUID(),
        provider_id: providerId,
        account_id: accountId,
        token_id: tokenId,
        direct: direct ? 1 : 0,
        state: 'open',
        image_key: null,
        image_size: null,
        image_digests: null,
        expiration_time: expirationTime,
      };
      await store.write((tx) => {
        if (
          tx.get(tx.build.selectFrom('provider').select('id').where('id', '=', providerId).compile()) ===
          undefined
        )
          throw notFound();
        const own = tx.build.selectFrom('upload').select((eb) => eb.fn.countAll<number>().as('count'));
        // As a literal, for the partial index.
        const open = own.where('account_id', '=', accountId).where('state', '<>', sql.lit('done'));
        if ((tx.get(open.compile())?.count ?? 0) >= mostOpen) {
          throw new Refusal(
            'too many attempts',
            `You have ${mostOpen} uploads without an image or a callback. Complete them, or wait until they expire`,
          );
        }
        tx.run(tx.build.insertInto('upload').values(row).compile());
      });
      return toUpload(row);
    },

    /**
     * Stores the received image. Without a callback it becomes the provider's image at once.
     * @param callbackUntil how long the image waits for its callback, in milliseconds since the epoch
     * @throws Refusal `unprocessable` if the image doesn't match the provider's checksum or its version is revoked,
     * `not found` if the provider is gone
     */
    received: (id: string, image: StoredImage, now: number, callbackUntil: number): Promise<UploadOutcome> =>
      store.write((tx) => {
        const upload = requireUpload(tx, id);
        if (upload.state === 'done') {
          // A repeated upload, since the first answer didn't arrive.
          if (isSameImage(tx, id, image)) return { removed: [image.key] };
          throw unprocessable('This upload is already complete: request a new one');
        }
        if (!upload.direct) return adopt(tx, upload, image, now);
        const provider = providerOf(tx, upload);
        if (!matches(image.digests, provider.checksum)) throw wrongChecksum();
        setImage(tx, id, 'received', image, callbackUntil);
        return { removed: unreferred(tx, [upload.image?.key]) };
      }),

    /** Makes the received image the provider's. Does nothing if it is already. @throws Refusal like `received` */
    finish: (id: string, now: number): Promise<UploadOutcome> =>
      store.write((tx) => {
        const upload = requireUpload(tx, id);
        if (upload.state === 'done') return { removed: [] };
        if (upload.image === null) throw unprocessable('No image has been uploaded yet');
        return adopt(tx, upload, upload.image, now);
      }),

    /** Deletes some uploads that expired before `now`, except those that are being received. */
    removeExpired: (now: number, receiving: Iterable<Pick<Upload, 'id'>>): Promise<UploadOutcome> =>
      store.write((tx) => {
        const busy = Array.from(receiving, ({ id }) => id);
        const due = tx.build.selectFrom('upload').selectAll().where('expiration_time', '<=', now);
        const expired = tx.all(due.where('id', 'not in', busy).limit(expiredAtOnce).compile());
        for (const row of expired) tx.run(tx.build.deleteFrom('upload').where('id', '=', row.id).compile());
        return {
          removed: unreferred(
            tx,
            expired.map((row) => row.image_key),
          ),
        };
      }),

    isReferred: (key: string): boolean => isReferred(store, key),
  };
}

/** Makes an image the provider's. */
function adopt(tx: RegistryWriter, upload: Upload, image: StoredImage, now: number): UploadOutcome {
  const provider = providerOf(tx, upload);
  const version = tx.build.selectFrom('version').select('status').where('id', '=', provider.versionId);
  // The version may have been revoked since the URL was requested.
  if (tx.get(version.compile())?.status === 'revoked') throw revoked();
  if (!matches(image.digests, provider.checksum)) throw wrongChecksum();
  const values = {
    url: null,
    hosted_token: provider.hostedToken ?? upload.id,
    image_key: image.key,
    image_size: image.size,
    image_digests: JSON.stringify(image.digests),
    updated_time: now,
  };
  tx.run(tx.build.updateTable('provider').set(values).where('id', '=', provider.id).compile());
  setImage(tx, upload.id, 'done', image, upload.expirationTime);
  return { removed: unreferred(tx, [provider.image?.key, upload.image?.key]) };
}

function setImage(
  tx: RegistryWriter,
  id: string,
  state: 'received' | 'done',
  image: StoredImage,
  expirationTime: number,
): void {
  const values = {
    state,
    // A finished upload doesn't refer to the image; the provider does.
    image_key: state === 'done' ? null : image.key,
    image_size: image.size,
    image_digests: JSON.stringify(image.digests),
    expiration_time: expirationTime,
  };
  tx.run(tx.build.updateTable('upload').set(values).where('id', '=', id).compile());
}

function providerOf(tx: RegistryWriter, upload: Upload) {
  const row = tx.get(
    tx.build.selectFrom('provider').selectAll().where('id', '=', upload.providerId).compile(),
  );
  if (row === undefined) throw notFound();
  return toProvider(row);
}

/** The refusal of an image for a revoked version. */
export function revoked() {
  return unprocessable('Version was revoked: it accepts no more images');
}

/** The refusal of an image that doesn't match its provider's checksum. */
function wrongChecksum() {
  return unprocessable(
    "Checksum of the uploaded image doesn't match the provider's: the image was discarded",
  );
}

/** Whether an image equals the one that a finished upload received. */
function isSameImage(reader: RegistryReader, id: string, image: StoredImage): boolean {
  const row = reader.get(reader.build.selectFrom('upload').selectAll().where('id', '=', id).compile());
  if (row === undefined || row.image_size !== image.size) return false;
  const digests = readDigests(row.image_digests);
  return checksumTypes.some((type) => digests[type] !== undefined && digests[type] === image.digests[type]);
}

function unreferred(reader: RegistryReader, keys: readonly (string | null | undefined)[]): string[] {
  return keys.filter((key) => typeof key === 'string').filter((key) => !isReferred(reader, key));
}

function isReferred(reader: RegistryReader, key: string): boolean {
  const { build } = reader;
  return (
    reader.get(build.selectFrom('provider').select('id').where('image_key', '=', key).compile()) !==
      undefined ||
    reader.get(build.selectFrom('upload').select('id').where('image_key', '=', key).compile()) !== undefined
  );
}

function requireUpload(tx: RegistryWriter, id: string): Upload {
  const row = tx.get(tx.build.selectFrom('upload').selectAll().where('id', '=', id).compile());
  if (row === undefined) throw notFound();
  return toUpload(row);
}

function toUpload(row: Selectable<UploadTable>): Upload {
  return {
    id: row.id,
    providerId: row.provider_id,
    accountId: row.account_id,
    tokenId: row.token_id,
    direct: row.direct !== 0,
    state: row.state,
    image:
      row.image_key === null
        ? null
        : { key: row.image_key, size: row.image_size ?? 0, digests: readDigests(row.image_digests) },
    expirationTime: row.expiration_time,
  };
}
