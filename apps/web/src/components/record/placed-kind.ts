/** Kinds that projects hold, with a list of their own right below the environment: catalogs, stores. */
import type { RecordCalls, StoredRecord } from '#queries/records.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import type { ShownKind } from './record-kind.ts';

/** What every such record has. */
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
  /** What its list is called, and its address below the environment: `Host sources`, `host-sources`. */
  readonly title: string;
  readonly path: string;
}

/**
 * Where the screens of such a kind are, as they take it.
 * @param id of the record that a screen is about
 */
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
