import type { TokenCaller } from '@gatehouse/service-kit/account-tokens';
import { gather, listText, sendParts } from '@gatehouse/service-kit/parts';
import { requireInWrites } from '@gatehouse/service-kit/write-queue';
import type { Request } from 'express';
import { Faults, forbidden } from '../domain/refusal.ts';
import { searchSorts } from '../store/search.ts';
import { findCaller, presentCaller } from './caller.ts';
import type { Context, Operation } from './context.ts';
import { apiOf } from './wire/api.ts';
import { listedText } from './wire/box.ts';

const defaultLimit = 10;
const maxLimit = 100;
const maxText = 200;
const orders = ['desc', 'asc'] as const;

/** GET …/search: finds boxes with a released version that are public or readable by the caller. */
export const searchBoxes: Operation = async (context, req, res, slices) => {
  const readable = requireReadable(context, req);
  const faults = new Faults();
  const text = parameter(req, 'q', faults) ?? '';
  const provider = parameter(req, 'provider', faults);
  // Version 1 has no architectures.
  const architecture = apiOf(context, req).version === 1 ? undefined : parameter(req, 'architecture', faults);
  const sort = choice(req, 'sort', searchSorts, faults);
  const order = choice(req, 'order', orders, faults);
  const limit = Math.min(positive(req, 'limit', defaultLimit, faults), maxLimit);
  const page = positive(req, 'page', 1, faults);
  faults.refuseAny();
  const query = {
    text: text.trim(),
    provider,
    architecture,
    sort,
    order,
    limit,
    offset: (page - 1) * limit,
    readable,
  };
  const boxes = await context.search.find(query, slices);
  const api = apiOf(context, req);
  const texts = boxes
    .values()
    .map((box) => listedText(api, box, context.versions.currentOf(box.id, false), undefined, limit));
  // The found boxes hold more than the answer.
  await sendParts(res, slices, await gather(slices, listText({}, 'boxes', texts)));
};

/**
 * The namespaces whose private boxes the caller may read. The search ends when they can't read one of them any more, in
 * which it may have found boxes.
 * @throws Refusal `unauthenticated` for a void token
 */
function requireReadable(context: Context, req: Request): 'all' | readonly string[] {
  const isKnown = findCaller(context, req) !== undefined;
  let before: 'all' | readonly string[] = [];
  return requireInWrites(() => {
    const readable = readableNamespaces(context, isKnown ? presentCaller(context, req) : undefined);
    if (readable !== 'all' && (before === 'all' || !new Set(before).isSubsetOf(new Set(readable))))
      throw forbidden('You may no longer read some of these boxes: search again');
    before = readable;
    return readable;
  });
}

function readableNamespaces(context: Context, caller: TokenCaller | undefined): 'all' | readonly string[] {
  if (caller === undefined) return [];
  if (caller.role === 'administrator') return 'all';
  const own = context.namespaces.ofAccount(caller.account.id);
  return [...context.members.ofAccount(caller.account.id).keys(), ...(own === undefined ? [] : [own.id])];
}

/** A parameter; undefined if empty. */
function parameter(req: Request, name: string, faults: Faults): string | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && value.length <= maxText) return value;
  faults.add(`${name} must be a single string of at most ${maxText} characters`);
  return undefined;
}

function choice<const Choice extends string>(
  req: Request,
  name: string,
  choices: readonly [Choice, ...Choice[]],
  faults: Faults,
): Choice {
  const value = parameter(req, name, faults);
  const found = choices.find((one) => one === value);
  if (value !== undefined && found === undefined) faults.add(`${name} must be one of ${choices.join(', ')}`);
  return found ?? choices[0];
}

function positive(req: Request, name: string, byDefault: number, faults: Faults): number {
  const value = parameter(req, name, faults);
  if (value === undefined) return byDefault;
  // At most nine digits: more pages than there can be boxes, and still a number that the database can count with.
  if (/^0*[1-9][0-9]{0,8}$/.test(value)) return Number(value);
  faults.add(`${name} must be a positive integer`);
  return byDefault;
}
