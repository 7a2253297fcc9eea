import { setImmediate as nextTurn } from 'node:timers/promises';
import { sendJson } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import { matchesFilter } from '../../domain/filter/evaluate.ts';
import type { Expression } from '../../domain/filter/expression.ts';
import { formatListToken, invalidListToken, parseListToken } from '../../domain/list-token.ts';
import type { ListPosition } from '../../domain/list-token.ts';
import { requireIn } from '../../domain/permissions.ts';
import { FieldFaults, notFound } from '../../domain/refusal.ts';
import { globalScopeId } from '../../domain/scope.ts';
import type { Target } from '../../domain/target/target.ts';
import type { ScopeStore } from '../../store/scopes.ts';
import type { Projects } from '../../store/targets.ts';
import { requireCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { readFilter } from '../filter.ts';
import { QueryReader } from '../query.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { wireTarget } from '../wire/target.ts';

/** Most targets of a page; also how many are looked at between two turns of the event loop. */
const maxPage = 1000;

/**
 * GET /v1/targets: pages, newest first, of the targets in a project, or with `recursive` in any scope. A token of a
 * page that says `delta` continues; one of a page that says `complete` asks what has changed since.
 */
export const listTargets: Operation = async (context, req, res) => {
  const { role } = requireCaller(context, req);
  const faults = new FieldFaults();
  const query = new QueryReader(req, faults);
  const scopeId = query.string('scope_id');
  const recursive = query.boolean('recursive');
  const pageSize = query.pageSize(maxPage);
  const filterText = query.string('filter');
  const token = query.string('list_token');
  const filter = readFilter(filterText, faults);
  const anyScope = scopeId === '' || scopeId === globalScopeId || isId(scopeId, 'o');
  if (!isId(scopeId, 'p') && !(recursive && anyScope)) {
    faults.add(
      'scope_id',
      'This field must be a valid project scope ID or the list operation must be recursive.',
    );
  }
  faults.refuseAny();
  requireIn('target', role, 'list');

  const projects = projectsOf(context.scopes, scopeId);
  const listing = `target\n${scopeId}\n${recursive ? 'recursive' : ''}\n${filterText}`;
  const now = context.clock.now();
  const lastChange = context.targets.lastChange();
  const position: ListPosition | undefined = token === '' ? undefined : parseListToken(token, listing, now);
  if (position !== undefined && position.since > lastChange)
    throw invalidListToken('It is of another controller.');

  const scopeOf = scopeSummaries(context.scopes);
  const toWire = (target: Target): Readonly<Record<string, unknown>> =>
    wireTarget(target, scopeOf(target.projectId), role);
  const matching = { filter, toWire, pageSize, projects };
  const page =
    position === undefined || position.phase === 'listing'
      ? await listingPage(context, matching, position, lastChange)
      : await refreshPage(context, matching, position, lastChange);
  sendJson(res, 200, {
    items: page.items,
    response_type: page.next.phase === 'listed' ? 'complete' : 'delta',
    list_token: formatListToken(page.next, listing, now),
    sort_by: page.sortBy,
    sort_dir: 'desc',
    est_item_count: context.targets.count(projects),
    removed_ids: page.removedIds,
  });
};

interface Matching {
  readonly filter: Expression | undefined;
  readonly toWire: (target: Target) => Readonly<Record<string, unknown>>;
  readonly pageSize: number;
  readonly projects: Projects;
}

interface Page {
  readonly items: readonly unknown[];
  readonly removedIds: readonly string[];
  readonly next: ListPosition;
  readonly sortBy: 'created_time' | 'updated_time';
}

async function listingPage(
  context: Context,
  matching: Matching,
  position: (ListPosition & { readonly phase: 'listing' }) | undefined,
  lastChange: number,
): Promise<Page> {
  const since = position?.since ?? lastChange;
  const items: unknown[] = [];
  let after = position?.after;
  for (;;) {
    const batch = context.targets.page(matching.projects, after, batchSize(matching));
    for (const target of batch) {
      // A full page ends only when one more is known to match: a last page is never empty.
      const item = matchingItem(matching, target);
      if (item !== undefined) {
        if (items.length === matching.pageSize && after !== undefined) {
          return { items, removedIds: [], next: { phase: 'listing', since, after }, sortBy: 'created_time' };
        }
        items.push(item);
      }
      after = { createdTime: target.createdTime, id: target.id };
    }
    if (batch.length < batchSize(matching)) {
      return { items, removedIds: [], next: { phase: 'listed', since }, sortBy: 'created_time' };
    }
    await nextTurn();
  }
}

async function refreshPage(
  context: Context,
  matching: Matching,
  position: ListPosition & { readonly phase: 'listed' | 'refreshing' },
  lastChange: number,
): Promise<Page> {
  const { since } = position;
  const until = position.phase === 'refreshing' ? position.until : lastChange;
  const removedIds =
    position.phase === 'refreshing' ? [] : context.targets.removedSince(matching.projects, since);
  const items: unknown[] = [];
  let before = position.phase === 'refreshing' ? position.before : until + 1;
  for (;;) {
    const batch = context.targets.changedPage(matching.projects, since, before, batchSize(matching));
    for (const { target, change } of batch) {
      const item = matchingItem(matching, target);
      if (item === undefined) {
        // It may have matched before: to a filtered listing it is gone.
        removedIds.push(target.id);
      } else {
        if (items.length === matching.pageSize) {
          return {
            items,
            removedIds,
            next: { phase: 'refreshing', since, until, before },
            sortBy: 'updated_time',
          };
        }
        items.push(item);
      }
      before = change;
    }
    if (batch.length < batchSize(matching)) {
      return { items, removedIds, next: { phase: 'listed', since: until }, sortBy: 'updated_time' };
    }
    await nextTurn();
  }
}

/** One more than a page, to learn whether there is another; with a filter, as many as may be looked at in one turn. */
function batchSize({ filter, pageSize }: Matching): number {
  return filter === undefined ? pageSize + 1 : maxPage;
}

function matchingItem(
  { filter, toWire }: Matching,
  target: Target,
): Readonly<Record<string, unknown>> | undefined {
  const item = toWire(target);
  return filter === undefined || matchesFilter(filter, { item }) ? item : undefined;
}

function projectsOf(scopes: ScopeStore, scopeId: string): Projects {
  if (scopeId === '' || scopeId === globalScopeId) return 'all';
  if (scopes.get(scopeId) === undefined) throw notFound();
  return isId(scopeId, 'o') ? { org: scopeId } : { project: scopeId };
}
