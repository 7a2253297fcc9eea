/**
 * Keys of the audit trail. Each row is signed with the newest key at its time. Keys are stored encrypted with the key
 * ring.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '@gatehouse/service-kit/clock';
import { newId } from '@gatehouse/service-kit/ids';
import { KeyRingRefused, SealBroken } from '@gatehouse/service-kit/secret-box';
import type { CompiledQuery } from 'kysely';
import type { TokenSeal } from '#session/token-seal.ts';
import type { Database } from '#store/database.ts';
import type { AuditHeadRow } from '#store/schema.ts';

export interface AuditKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

export type AuditKeys = Awaited<ReturnType<typeof auditKeys>>;

const keyBytes = 32;

/**
 * Opens the keys of a trail, and encrypts them with the ring's newest key. The first start creates a key, and so does
 * the first start after a rotation. The very first key signs the existing trail. Keys of older rows stay, even if the
 * ring's older keys are gone.
 *
 * @throws KeyRingRefused if other consoles may use the database, and the ring decrypts none of its keys. Each would
 *   sign with a key that the others don't have, and revoke, deliver and move with tokens that they can't decrypt.
 */
export async function auditKeys(database: Database, seal: TokenSeal, clock: Clock) {
  const { build } = database;
  const known = new Map<string, Buffer>();
  const load = async (): Promise<void> => {
    const rows = await database.all(
      build.selectFrom('audit_key').selectAll().orderBy('created_at').orderBy('id').compile(),
    );
    for (const { id, sealed_key } of rows) {
      if (known.has(id)) continue;
      const key = opened(seal, id, sealed_key);
      if (key !== undefined) known.set(id, key);
    }
  };
  /** @returns whether the ring was rotated since the keys were encrypted */
  const renewSeals = async (): Promise<boolean> => {
    let changed = false;
    for (const { id, sealed_key } of await database.all(
      build.selectFrom('audit_key').selectAll().compile(),
    )) {
      const anew = known.has(id) ? seal.renew(sealed_key, placeOf(id)) : undefined;
      if (anew === undefined) continue;
      changed = true;
      await database.run(
        build
          .updateTable('audit_key')
          .set({ sealed_key: anew })
          .where('id', '=', id)
          .where('sealed_key', '=', sealed_key)
          .compile(),
      );
    }
    return changed;
  };

  const isKept = async (): Promise<boolean> =>
    (await database.get(build.selectFrom('audit_key').select('id').limit(1).compile())) !== undefined;
  /**
   * Signs the rows written before the first key. No later key does, so a head without a signature is a fault from then
   * on.
   */
  const sealedHead = async (key: AuditKey): Promise<CompiledQuery[]> => {
    const head = await database.get(
      build.selectFrom('audit_head').selectAll().where('key_id', 'is', null).compile(),
    );
    if (head === undefined) return [];
    const { sequence, hash } = head;
    return [
      build
        .updateTable('audit_head')
        .set({ key_id: key.id, seal: headSeal(head, key) })
        .where('sequence', '=', sequence)
        .where('hash', '=', hash)
        .where('key_id', 'is', null)
        .compile(),
    ];
  };

  await load();
  const rotated = await renewSeals();
  if (rotated || known.size === 0) {
    const id = newId('ak');
    const key = randomBytes(keyBytes);
    const isFirst = !(await isKept());
    if (database.shared && known.size === 0 && !isFirst) {
      throw new KeyRingRefused(
        "This console's key ring can't decrypt any key of the database's audit trail. Consoles on one database share one ring: copy it from another console, or set keys.file or GATEHOUSE_KEYS. If that ring is lost, delete all rows of the table audit_key, and the .database files in the uploads folders of all consoles, which name its keys. Earlier entries of the trail can no longer be verified then.",
      );
    }
    await database.batch([
      build
        .insertInto('audit_key')
        .values({ id, sealed_key: seal.seal(key.toString('base64'), placeOf(id)), created_at: clock.now() })
        .compile(),
      ...(isFirst ? await sealedHead({ id, key }) : []),
    ]);
    known.set(id, key);
  }
  const [id, key] = [...known].at(-1) ?? ['', Buffer.alloc(0)];
  return {
    /** Signs new rows. */
    current: { id, key },
    /** @returns undefined if the trail doesn't have the key, or it can't be decrypted any more */
    async find(wanted: string): Promise<Buffer | undefined> {
      // Another replica may have created it.
      if (!known.has(wanted)) await load();
      return known.get(wanted);
    },
  };
}

/**
 * Proves that the trail ends with this row, because only the key's owner can compute it: HMAC-SHA-256, in hexadecimal.
 */
export function headSeal(
  { sequence, hash }: Pick<AuditHeadRow, 'sequence' | 'hash'>,
  { id, key }: AuditKey,
): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['gatehouse-audit-head-2', id, sequence, hash]))
    .digest('hex');
}

function opened(seal: TokenSeal, id: string, sealed: string): Buffer | undefined {
  try {
    return Buffer.from(seal.open(sealed, placeOf(id)), 'base64');
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

function placeOf(id: string) {
  return { sessionId: id, environment: '', service: 'audit-key' };
}
