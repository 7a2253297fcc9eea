import type { Scope } from '@gatehouse/api-types/console/scopes';
import { scope } from '@gatehouse/api-types/services/access-controller';
import type * as z from 'zod/mini';
import { buildPath } from '../path.ts';
import { isAnswer, type AccessCaller } from './client.ts';
import { allOf, badAnswer, listing } from './collection.ts';

const scopes = { list: listing({ path: 'scopes', wire: scope, itemOf: scopeOf }) };
/** The maximum number of scopes, because a controller might never end its list. */
const mostScopes = 20_000;

/**
 * Every scope that the caller can see: global, then organizations and projects by name.
 * @throws ServiceError, `bad-answer` for more than 20,000 scopes
 */
export async function listScopes(caller: AccessCaller): Promise<Scope[]> {
  const root = `${caller.transport.prefix}/v1/scopes`;
  const [global, children] = await Promise.all([readGlobal(caller, root), readChildren(caller)]);
  const below = children.filter(({ id }) => id !== 'global').sort(byTypeAndName);
  return [...(global === undefined ? [] : [global]), ...below];
}

/** The global scope with the caller's actions in it; undefined where the caller can't see it. @throws ServiceError */
export function getGlobalScope(caller: AccessCaller): Promise<Scope | undefined> {
  return readGlobal(caller, `${caller.transport.prefix}/v1/scopes`);
}

async function readGlobal(caller: AccessCaller, root: string): Promise<Scope | undefined> {
  try {
    return scopeOf(
      await caller.transport.parse(
        scope,
        await caller.send({ method: 'GET', path: buildPath(root, ['global']) }),
      ),
    );
  } catch (error) {
    if (isAnswer(error, 403, 404)) return undefined;
    throw error;
  }
}

async function readChildren(caller: AccessCaller): Promise<Scope[]> {
  const found = await allOf(scopes, caller, { scope_id: 'global', recursive: true }, mostScopes + 1);
  if (found.length > mostScopes) {
    throw badAnswer(
      caller,
      'The access controller has more than 20,000 scopes, which is more than the console supports.',
    );
  }
  return found;
}

function scopeOf(from: z.output<typeof scope>): Scope {
  return {
    id: from.id,
    type: from.type,
    name: from.name,
    description: from.description,
    parent_scope_id: from.id === 'global' ? '' : from.scope_id,
    authorized_actions: from.authorized_actions,
    authorized_collection_actions: from.authorized_collection_actions,
  };
}

function byTypeAndName(a: Scope, b: Scope): number {
  const orgsFirst = Number(b.type === 'org') - Number(a.type === 'org');
  return orgsFirst || a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);
}
