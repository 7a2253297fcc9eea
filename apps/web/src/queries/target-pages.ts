/** A list of targets that is loaded in pages while it is shown. */
import type { Target } from '@gatehouse/api-types/console/targets';

export interface TargetList {
  /** In the controller's order: newest first. */
  readonly items: readonly Target[];
  /** The controller's estimate for the scope, before any filter. */
  readonly estimate: number;
  /** False while more pages follow. */
  readonly isComplete: boolean;
  /** Token of the next page; undefined before the first page and after the last. */
  readonly nextPage: string | undefined;
}

export interface TargetPage {
  readonly items: readonly Target[];
  readonly next_page_token?: string | undefined;
  readonly est_item_count: number;
}

export const noTargets: TargetList = { items: [], estimate: 0, isComplete: false, nextPage: undefined };

/** Rows of the first page, which should appear at once, and of the others. */
export const firstPageSize = 100;
export const nextPageSize = 1000;

/** The page's own writes while a list was read, by ID: the stored target, or undefined if it is deleted. */
export type OwnWrites = ReadonlyMap<string, Target | undefined>;

/**
 * Appends a page. Targets that the list already has are skipped: they were created while the pages were read,
 * and shifted the others, or `putTarget` inserted them.
 * @param writes own writes that the page may not reflect yet
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

/** The list with the stored state of one target; a new one is inserted first, as the newest. */
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

/** The list with the writes since its reading began. */
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

/** The list without some targets. */
export function dropTargets(list: TargetList, ids: ReadonlySet<string>): TargetList {
  const items = list.items.filter((item) => !ids.has(item.id));
  const dropped = list.items.length - items.length;
  return dropped === 0 ? list : { ...list, items, estimate: Math.max(0, list.estimate - dropped) };
}

const shared = new Map<string, unknown>();
/** More distinct parts than a controller has scopes and roles. At this size the cache is cleared. */
const sharedLimit = 20_000;

function share<Value>(key: string, value: Value): Value {
  const known = shared.get(key);
  // The key is the value as JSON.
  if (known !== undefined) return known as Value;
  if (shared.size >= sharedLimit) shared.clear();
  shared.set(key, value);
  return value;
}

/** Of 100,000 targets most have the same scope, actions and empty lists, so one copy of each is kept. */
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
