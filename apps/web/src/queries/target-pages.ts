/** A list of targets that is loaded page by page while it is being used. */
import type { Target } from '@gatehouse/api-types/console/targets';

export interface TargetList {
  /** In the order of the controller: newest first. */
  readonly items: readonly Target[];
  /** The controller's estimate for the scope, before any filter. */
  readonly estimate: number;
  /** False while pages follow. */
  readonly isComplete: boolean;
  /** Where the next page begins; undefined before the first page and after the last. */
  readonly nextPage: string | undefined;
}

export interface TargetPage {
  readonly items: readonly Target[];
  readonly next_page_token?: string | undefined;
  readonly est_item_count: number;
}

export const noTargets: TargetList = { items: [], estimate: 0, isComplete: false, nextPage: undefined };

/** Rows of the first page, which is to be on the screen at once, and of those that follow. */
export const firstPageSize = 100;
export const nextPageSize = 1000;

/** What the page itself wrote while a list was read, by id: targets as they are stored now, undefined of those that are gone. */
export type OwnWrites = ReadonlyMap<string, Target | undefined>;

/**
 * Adds a page. A target that the list holds already is taken once: it was created while the pages were read, and pushed
 * the others down, or it was put first by `putTarget`.
 * @param writes what this page may not know yet
 */
export function appendPage(list: TargetList, page: TargetPage, writes: OwnWrites = new Map()): TargetList {
  const ends = [...list.items.slice(0, nextPageSize), ...list.items.slice(-nextPageSize)];
  const known = new Set(ends.map((target) => target.id));
  const fresh = page.items
    .filter(({ id }) => !known.has(id))
    .flatMap((target) => (writes.has(target.id) ? (writes.get(target.id) ?? []) : target));
  return {
    items: [...list.items, ...fresh.map(shareParts)],
    estimate: page.est_item_count,
    isComplete: page.next_page_token === undefined,
    nextPage: page.next_page_token,
  };
}

/** The list with one target as it is stored now; unknown targets are put first, as the newest. */
export function putTarget(
  list: TargetList,
  target: Target,
  isMember: (target: Target) => boolean,
): TargetList {
  const index = list.items.findIndex((item) => item.id === target.id);
  if (index !== -1) return { ...list, items: list.items.with(index, target) };
  if (!isMember(target)) return list;
  return { ...list, items: [target, ...list.items], estimate: list.estimate + 1 };
}

/** The list with what was written while its pages were read. */
export function putWrites(
  list: TargetList,
  writes: OwnWrites,
  isMember: (target: Target) => boolean,
): TargetList {
  const gone = new Set<string>();
  let latest = list;
  for (const [id, target] of writes)
    if (target === undefined) gone.add(id);
    else latest = putTarget(latest, target, isMember);
  return dropTargets(latest, gone);
}

/** The list without the targets of the ids. */
export function dropTargets(list: TargetList, ids: ReadonlySet<string>): TargetList {
  const items = list.items.filter((item) => !ids.has(item.id));
  const dropped = list.items.length - items.length;
  return dropped === 0 ? list : { ...list, items, estimate: Math.max(0, list.estimate - dropped) };
}

const shared = new Map<string, unknown>();
/** More distinct parts than any controller has scopes and roles: then sharing starts over. */
const sharedLimit = 20_000;

function share<Value>(key: string, value: Value): Value {
  const known = shared.get(key);
  // The key is the value itself as text.
  if (known !== undefined) return known as Value;
  if (shared.size >= sharedLimit) shared.clear();
  shared.set(key, value);
  return value;
}

/** Of 100,000 targets most have the same scope, actions and empty lists: one copy of each is kept. */
function shareParts(target: Target): Target {
  const part = <Value>(value: Value): Value => share(JSON.stringify(value), value);
  return {
    ...target,
    scope: part(target.scope),
    attributes: part(target.attributes),
    authorized_actions: part(target.authorized_actions),
    host_source_ids: part(target.host_source_ids),
    host_sources: part(target.host_sources),
    application_credential_source_ids: part(target.application_credential_source_ids),
    application_credential_sources: part(target.application_credential_sources),
    brokered_credential_source_ids: part(target.brokered_credential_source_ids),
    brokered_credential_sources: part(target.brokered_credential_sources),
    injected_application_credential_source_ids: part(target.injected_application_credential_source_ids),
    injected_application_credential_sources: part(target.injected_application_credential_sources),
  };
}
