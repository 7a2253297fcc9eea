import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { targets } from '#upstreams/access-controller/targets.ts';

/** Names that are asked for at the same time. */
const atOnce = 8;

/** Sessions with the names of their targets and people, as far as the controller shows them to the caller. */
export async function withNames(
  caller: AccessCaller,
  sessions: readonly AccessSession[],
): Promise<AccessSession[]> {
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
  return sessions.map((session) => ({
    ...session,
    target_name: targetNames.get(session.target_id) ?? '',
    user_name: userNames.get(session.user_id) ?? '',
  }));
}

/** One session with the names of its target and person. */
export async function withName(caller: AccessCaller, session: AccessSession): Promise<AccessSession> {
  const [named] = await withNames(caller, [session]);
  return named ?? session;
}

async function namesOf(
  ids: readonly string[],
  nameOf: (id: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const open = [...new Set(ids)].filter((id) => id !== '');
  const worker = async (): Promise<void> => {
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      // Gone, or not for the caller to see: then the id stands alone.
      const name = await nameOf(id).catch(() => '');
      names.set(id, name);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return names;
}
