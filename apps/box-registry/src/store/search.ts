import { sql } from 'kysely';
import type { Box } from '../domain/box.ts';
import { nameKey } from '../domain/names.ts';
import { selectBoxes, toBox } from './boxes.ts';
import type { RegistryStore } from './database.ts';

/** What a search is sorted by. */
export const searchSorts = ['downloads', 'created', 'updated'] as const;

export type SearchSort = (typeof searchSorts)[number];

/** A search among boxes that have a released version. */
export interface SearchQuery {
  /** Part of `username/name` or of the short description; empty for all. */
  readonly text: string;
  /** Where both are given, one image is of both. */
  readonly provider: string | undefined;
  readonly architecture: string | undefined;
  readonly sort: SearchSort;
  readonly order: 'asc' | 'desc';
  /** Most boxes. */
  readonly limit: number;
  /** Boxes to pass over. */
  readonly offset: number;
  /** Namespaces whose private boxes are searched too. */
  readonly readable: 'all' | readonly string[];
}

/** Finds boxes. */
export interface BoxSearch {
  find(query: SearchQuery): Box[];
}

const columns = {
  downloads: 'box.downloads',
  created: 'box.created_time',
  updated: 'box.updated_time',
} as const;

/** A search in the store of the box registry. */
export function boxSearch(store: RegistryStore): BoxSearch {
  return {
    find({ text, provider, architecture, sort, order, limit, offset, readable }) {
      let query = selectBoxes(store)
        .where((is) =>
          is.exists(
            is
              .selectFrom('version')
              .select('version.id')
              .whereRef('version.box_id', '=', 'box.id')
              .where('version.status', '=', 'active'),
          ),
        )
        .orderBy(columns[sort], order)
        .orderBy('box.id', order)
        .limit(limit)
        .offset(offset);
      if (readable !== 'all') {
        query = query.where((is) =>
          is.or([is('box.is_private', '=', 0), is('box.namespace_id', 'in', [...readable])]),
        );
      }
      if (text !== '') {
        const pattern = `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
        query = query.where(
          sql<boolean>`(namespace.name || '/' || box.name LIKE ${pattern} ESCAPE '\\' OR box.short_description LIKE ${pattern} ESCAPE '\\')`,
        );
      }
      if (provider !== undefined || architecture !== undefined) {
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
      return store.all(query.compile()).map(toBox);
    },
  };
}
