/** Keys of the audit trail: each row is keyed by the newest one at the time. They are kept sealed under the key ring. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '@gatehouse/service-kit/clock';
import { newId } from '@gatehouse/service-kit/ids';
import { SealBroken } from '@gatehouse/service-kit/secret-box';
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
 * Opens the keys of a trail, and seals them under the newest key of the ring. The first start makes one, and so does the
 * first one after a rotation. The very first one signs the trail as it is then. Keys that older rows need stay, whatever becomes of the ring's older keys.
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
  /** @returns whether the ring was rotated since the keys were sealed */
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
  /** Signs what was written before there were keys. No later key does: from then on a head without a seal is a fault. */
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
    /** What new rows are keyed by. */
    current: { id, key },
    /** @returns undefined for one that the trail does not have, or that can't be opened any more */
    async find(wanted: string): Promise<Buffer | undefined> {
      // Another replica may have made it.
      if (!known.has(wanted)) await load();
      return known.get(wanted);
    },
  };
}

/** What only who has the key can say of a row: that the trail ends with it. HMAC-SHA-256, in hex. */
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
