/** Kinds of records in projects, each with a list directly below the environment: catalogs, stores. */
import type { RecordCalls, StoredRecord } from '#queries/records.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import type { ShownKind } from './record-kind.ts';

/** Fields of all these records. */
export interface Placed extends StoredRecord {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly scope: { readonly id: string; readonly name: string };
}

export interface PlacedKind<Item extends Placed, New = never> extends ShownKind<Item> {
  readonly calls: RecordCalls<Item, New, never>;
  /** `host catalogs` */
  readonly many: string;
  /** The list's title, and its path below the environment: `Host sources`, `host-sources`. */
  readonly title: string;
  readonly path: string;
}

/** Addresses and breadcrumbs for the screens of such a kind. @param id of the screen's record */
export function usePlaces({ title, path }: Pick<PlacedKind<Placed>, 'title' | 'path'>, id = '') {
  const listHref = `/${useEnvironment().id}/${path}`;
  const hrefOf = (item: { readonly id: string }): string => `${listHref}/${encodeURIComponent(item.id)}`;
  return {
    listHref,
    cancelHref: listHref,
    newHref: `${listHref}/new`,
    hrefOf,
    editHref: `${hrefOf({ id })}/edit`,
    ancestors: [{ id: path, label: title, href: listHref }],
  };
}
