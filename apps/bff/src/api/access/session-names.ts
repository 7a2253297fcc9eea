import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { mapInOrder } from '#api/concurrently.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { targets } from '#upstreams/access-controller/targets.ts';
import type { Directory } from '#upstreams/directory.ts';
import { accessCaller } from './caller.ts';

/** Names that are asked for at the same time. */
const atOnce = 8;
/**
 * How long a name is kept for the token that it was read with, in milliseconds: a page asks for its 1,000 sessions every
 * few seconds.
 */
const keptForMs = 30_000;
const keptAtMost = 20_000;

interface KeptName {
  readonly name: string;
  /** Monotonic. */
  readonly until: number;
}

/** Of each console, by token and id; those that were read first come first. */
const keptNames = new WeakMap<Directory, Map<string, KeptName>>();

/** Sessions with the names of their targets and people, as far as the controller shows them to the caller. */
export async function withNames(
  context: Context,
  call: ServiceCall,
  sessions: readonly AccessSession[],
): Promise<AccessSession[]> {
  const caller = await accessCaller(context, call);
  const { tokenId } = await serviceToken(context, call, 'access');
  const kept = keptNames.get(context.directory) ?? new Map<string, KeptName>();
  keptNames.set(context.directory, kept);
  const now = context.clock.monotonic();

  const namesOf = async (
    ids: readonly string[],
    nameOf: (id: string) => Promise<string>,
  ): Promise<ReadonlyMap<string, string>> => {
    const names = new Map<string, string>();
    const open: string[] = [];
    for (const id of new Set(ids)) {
      const known = kept.get(`${tokenId}/${id}`);
      if (known !== undefined && now < known.until) names.set(id, known.name);
      else if (id !== '') open.push(id);
    }
    const asked = mapInOrder(open, async (id) => ({ id, name: await orNone(nameOf(id)) }), atOnce);
    for await (const { id, name } of asked) {
      // A controller that is busy or down is asked for no more of them: ids stand alone until the next time.
      if (name === undefined) break;
      names.set(id, name);
      const key = `${tokenId}/${id}`;
      kept.delete(key);
      kept.set(key, { name, until: now + keptForMs });
    }
    return names;
  };

  const [targetNames, userNames] = await Promise.all([
    namesOf(
      sessions.map(({ target_id }) => target_id),
      async (id) => (await targets.get(caller, id)).name,
    ),
    namesOf(
      sessions.map(({ user_id }) => user_id),
      async (id) => {
        const { full_name, login_name } = await people.get(caller, id);
        return full_name || login_name;
      },
    ),
  ]);
  for (const [key, { until }] of kept) {
    if (kept.size <= keptAtMost && now < until) break;
    kept.delete(key);
  }
  return sessions.map((session) => ({
    ...session,
    target_name: targetNames.get(session.target_id) ?? '',
    user_name: userNames.get(session.user_id) ?? '',
  }));
}

/** A name; '' of what is gone or not for the caller to see, undefined where the controller did not say. */
async function orNone(name: Promise<string>): Promise<string | undefined> {
  try {
    return await name;
  } catch (error) {
    return error instanceof ProblemError && ['not-found', 'forbidden'].includes(error.code) ? '' : undefined;
  }
}

/** One session with the names of its target and person. */
export async function withName(
  context: Context,
  call: ServiceCall,
  session: AccessSession,
): Promise<AccessSession> {
  const [named] = await withNames(context, call, [session]);
  return named ?? session;
}
