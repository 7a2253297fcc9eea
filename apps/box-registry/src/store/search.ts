import type { Slices } from '@gatehouse/service-kit/slices';
import { sql } from 'kysely';
import type { Box } from '../domain/box.ts';
import { nameKey } from '../domain/names.ts';
import { isReleased, selectBoxes, toBox } from './boxes.ts';
import type { RegistryStore } from './database.ts';

export const searchSorts = ['downloads', 'created', 'updated'] as const;

export type SearchSort = (typeof searchSorts)[number];

/** A search in the boxes that have a released version. */
export interface SearchQuery {
  /** A part of `username/name` or of the short description; empty for all boxes. */
  readonly text: string;
  /** If both are set, one image must match both. */
  readonly provider: string | undefined;
  readonly architecture: string | undefined;
  readonly sort: SearchSort;
  readonly order: 'asc' | 'desc';
  /** The most boxes to return. */
  readonly limit: number;
  /** The number of boxes to skip. */
  readonly offset: number;
  /** The namespaces whose private boxes are included. */
  readonly readable: 'all' | readonly string[];
}

export type BoxSearch = ReturnType<typeof boxSearch>;

/** Boxes read at a time before giving way to other work. */
const boxesAtOnce = 250;
/** Boxes read at a time with their images, since a box may have thousands of versions. */
const withImagesAtOnce = 25;

const columns = {
  downloads: 'box.downloads',
  created: 'box.created_time',
  updated: 'box.updated_time',
} as const;

/** Where a range of boxes begins or ends: the sort value and the box's ID. */
interface Place {
  readonly at: string | number;
  readonly id: string;
}

/** Searches boxes. */
export function boxSearch(store: RegistryStore) {
  return {
    /** @throws HttpError 499 if the client has disconnected */
    async find(
      { text, provider, architecture, sort, order, limit, offset, readable }: SearchQuery,
      slices: Slices,
    ): Promise<Box[]> {
      const column = columns[sort];
      const byImage = provider !== undefined || architecture !== undefined;
      const atOnce = byImage ? withImagesAtOnce : boxesAtOnce;
      const isAfter = order === 'asc' ? sql`>` : sql`<`;
      const after = ({ at, id }: Place) =>
        sql<boolean>`(${sql.ref(column)}, box.id) ${isAfter} (${at}, ${id})`;
      let query = selectBoxes(store).where(isReleased).orderBy(column, order).orderBy('box.id', order);
      if (readable !== 'all') {
        query = query.where((is) =>
          is.or([is('box.is_private', '=', 0), is('box.namespace_id', 'in', [...readable])]),
        );
      }
      if (text !== '') {
        // LIKE would compare from each position again, which is slow if text and pattern repeat a letter.
        query = query.where(
          sql<boolean>`(instr(lower(namespace.name || '/' || box.name), lower(${text})) OR instr(lower(box.short_description), lower(${text})))`,
        );
      }
      if (byImage) {
        query = query.where((is) => {
          let images = is
            .selectFrom('version')
            .innerJoin('provider', 'provider.version_id', 'version.id')
            .select('provider.id')
            .whereRef('version.box_id', '=', 'box.id')
            .where('version.status', '=', 'active');
          if (provider !== undefined) images = images.where('provider.name_key', '=', nameKey(provider));
          if (architecture !== undefined)
            images = images.where('provider.architecture_key', '=', nameKey(architecture));
          return is.exists(images);
        });
      }
      const found: Box[] = [];
      let passed = 0;
      for (let from: Place | undefined; found.length < limit;) {
        await slices.giveWay();
        const start = from === undefined ? sql<boolean>`true` : after(from);
        const last = store.get(
          store.build
            .selectFrom('box')
            .select([sql.ref<string | number>(column).as('at'), 'box.id'])
            .where(start)
            .orderBy(column, order)
            .orderBy('box.id', order)
            .limit(1)
            .offset(atOnce - 1)
            .compile(),
        );
        const stretch = query.where(start);
        const boxes = store
          .all((last === undefined ? stretch : stretch.where(sql<boolean>`not ${after(last)}`)).compile())
          .map(toBox);
        const skipped = Math.min(boxes.length, offset - passed);
        passed += skipped;
        found.push(...boxes.slice(skipped, skipped + limit - found.length));
        if (last === undefined) break;
        from = last;
      }
      return found;
    },
  };
}
