/** Addresses of images and archives, as they are kept: sealed, for they may hold what lets anybody fetch them. */
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import { renewedSeal, type TokenPlace, type TokenSeal } from '#session/token-seal.ts';
import type { Database } from '#store/database.ts';
import type { MovePieceRow } from '#store/schema.ts';

export type Addresses = ReturnType<typeof createAddresses>;

/** Pieces that are looked at at once. */
const pageSize = 500;

export function createAddresses(database: Database, seal: TokenSeal) {
  const { build } = database;
  return {
    /** What is kept of one; empty for none. */
    seal: (moveId: string, url: string): string => (url === '' ? '' : seal.seal(url, placeOf(moveId))),
    /** A piece with its address; an empty one where that can't be read any more: the source is asked again by comparing. */
    opened: (piece: MovePieceRow): MovePieceRow => ({ ...piece, url: open(seal, piece) }),
    /** Seals those of moves that have not ended under the newest key, and what is kept in clear. */
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

/** Whether it was kept before addresses were sealed. */
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

/** The console opens them itself: they are bound to their move, and to no destination. */
function placeOf(moveId: string): TokenPlace {
  return { sessionId: moveId, environment: '', service: 'address of a move' };
}
