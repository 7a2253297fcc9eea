/** Stored addresses of images and archives. They are encrypted, because they may contain credentials. */
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import { renewedSeal, type TokenPlace, type TokenSeal } from '#session/token-seal.ts';
import type { Database } from '#store/database.ts';
import type { MovePieceRow } from '#store/schema.ts';

export type Addresses = ReturnType<typeof createAddresses>;

/** Pieces processed at a time. */
const pageSize = 500;

export function createAddresses(database: Database, seal: TokenSeal) {
  const { build } = database;
  return {
    /** The stored form of an address; empty for none. */
    seal: (moveId: string, url: string): string => (url === '' ? '' : seal.seal(url, placeOf(moveId))),
    /**
     * A piece with its decrypted address, or an empty one if that is impossible. Comparing reads the address from the
     * source again.
     */
    opened: (piece: MovePieceRow): MovePieceRow => ({ ...piece, url: open(seal, piece) }),
    /** Encrypts the addresses of moves that haven't ended under the newest key, including unencrypted ones. */
    async renew(): Promise<void> {
      for (let after = ''; ;) {
        const rows = await database.all(
          build
            .selectFrom('move_piece')
            .innerJoin('move', 'move.id', 'move_piece.move_id')
            .select(['move_piece.id', 'move_piece.move_id', 'move_piece.url'])
            .where('move_piece.id', '>', after)
            .where('move_piece.url', '<>', '')
            .where((eb) =>
              eb.or([
                eb('move.state', 'not in', ['done', 'abandoned']),
                eb('move_piece.url', 'like', 'http%://%'),
              ]),
            )
            .orderBy('move_piece.id')
            .limit(pageSize)
            .compile(),
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.id;
        const renewed = rows.flatMap(({ id, move_id, url }) => {
          const place = placeOf(move_id);
          const text = isPlain(url) ? seal.seal(url, place) : renewedSeal(seal, url, place);
          return text === undefined ? [] : [{ id, url, text }];
        });
        await database.batch(
          renewed.map(({ id, url, text }) =>
            build
              .updateTable('move_piece')
              .set({ url: text })
              .where('id', '=', id)
              .where('url', '=', url)
              .compile(),
          ),
        );
      }
    },
  };
}

/** Whether the address was stored unencrypted. */
function isPlain(url: string): boolean {
  return /^https?:\/\//.test(url);
}

function open(seal: TokenSeal, { move_id, url }: MovePieceRow): string {
  if (url === '' || isPlain(url)) return url;
  try {
    return seal.open(url, placeOf(move_id));
  } catch (error) {
    if (error instanceof SealBroken) return '';
    throw error;
  }
}

/** Bound to their move and to no destination, because the console uses them itself. */
function placeOf(moveId: string): TokenPlace {
  return { sessionId: moveId, environment: '', service: 'address of a move' };
}
