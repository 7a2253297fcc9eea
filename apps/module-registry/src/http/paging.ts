import type { Request } from 'express';
import { Refusal } from '../domain/refusal.ts';
import { parameter } from './request.ts';

const defaultLimit = 15;
const maxLimit = 100;

/** The requested part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The page in a request. @throws Refusal `malformed` */
export function readPage(req: Request): Page {
  return {
    limit: Math.min(maxLimit, whole(req, 'limit', defaultLimit, 1)),
    offset: whole(req, 'offset', 0, 0),
  };
}

/**
 * The body of a page, with the offsets and URLs of the next and the previous one.
 * @param items the page's items, and one more if another page follows
 */
export function pageBody<Item>(
  req: Request,
  { limit, offset }: Page,
  items: readonly Item[],
  wire: (item: Item) => unknown,
): unknown {
  const urlAt = (at: number): string => {
    const [path = ''] = req.originalUrl.split('?', 1);
    const query = new URLSearchParams(req.originalUrl.slice(path.length + 1));
    query.set('limit', String(limit));
    query.set('offset', String(at));
    return `${path}?${query}`;
  };
  const next = items.length > limit ? offset + limit : undefined;
  const previous = offset > 0 ? Math.max(0, offset - limit) : undefined;
  return {
    meta: {
      limit,
      current_offset: offset,
      ...(next !== undefined && { next_offset: next, next_url: urlAt(next) }),
      ...(previous !== undefined && { prev_offset: previous, prev_url: urlAt(previous) }),
    },
    modules: items.slice(0, limit).map(wire),
  };
}

function whole(req: Request, name: string, byDefault: number, least: number): number {
  const value = parameter(req, name);
  if (value === undefined) return byDefault;
  // At most nine digits: more than there can be items, and still a number that the database can count with.
  if (!/^0*[0-9]{1,9}$/.test(value) || Number(value) < least)
    throw new Refusal('malformed', `${name} must be a positive integer`);
  return Number(value);
}
