import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { mapInOrder } from '#api/concurrently.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { targets } from '#upstreams/access-controller/targets.ts';
import type { Directory } from '#upstreams/directory.ts';
import { accessCaller } from './caller.ts';

/** The number of names read concurrently. */
const atOnce = 8;
/**
 * How long a name is cached for the token that read it, in milliseconds: a page reads its 1,000 sessions every few
 * seconds.
 */
const keptForMs = 30_000;
const keptAtMost = 20_000;

interface KeptName {
  readonly name: string;
  /** On the monotonic clock. */
  readonly until: number;
}

/** The cached names of each console, by token and ID, oldest first. */
const keptNames = new WeakMap<Directory, Map<string, KeptName>>();

/** Adds the names of targets and users to sessions, as far as the controller shows them to the caller. */
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
      // A busy or unavailable controller isn't asked for more names. The rest keep their IDs until the next list.
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

/** A name; '' if the record is missing or hidden from the caller, undefined if the controller gave no answer. */
async function orNone(name: Promise<string>): Promise<string | undefined> {
  try {
    return await name;
  } catch (error) {
    return error instanceof ProblemError && ['not-found', 'forbidden'].includes(error.code) ? '' : undefined;
  }
}

/** Adds the names of its target and user to a session. */
export async function withName(
  context: Context,
  call: ServiceCall,
  session: AccessSession,
): Promise<AccessSession> {
  const [named] = await withNames(context, call, [session]);
  return named ?? session;
}
