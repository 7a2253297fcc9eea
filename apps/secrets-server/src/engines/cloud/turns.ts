import { NoTurn, turns, turnsByKey } from '@gatehouse/service-kit/turns';
import { currentAsker } from '@gatehouse/service-kit/write-queue';
import type { Request } from '../../core/backend.ts';
import type { Mount } from '../../core/mount.ts';
import { topOf } from '../../domain/namespace.ts';

/** Whoever waits here has passed a limit before, or is a record of the store. */
const unlimited = { mostOwn: Infinity, mostWaiting: Infinity };
/** Milliseconds that a request waits for each of its turns. */
const waitMs = 30_000;

/** Does the work of a request in its turn. @throws NoTurn; errors of the work */
export type RequestTurns = <Result>(
  request: Pick<Request, 'giveWay'> & { readonly mount: Pick<Mount, 'id'> },
  work: () => Promise<Result>,
) => Promise<Result>;

/**
 * Turns of the requests that call a provider: of a user, at an engine, and at all engines. So neither a user with many
 * engines whose providers don't answer, nor such an engine with many users, stops others; nor do they take many
 * connections, of which each request has two at most.
 */
export function requestTurns(): RequestTurns {
  const ofUser = turnsByKey({ atOnce: 16, ownAtOnce: 4, firsts: 16, mostOwn: 64, mostWaiting: 256, waitMs });
  const atEngine = turnsByKey({ atOnce: 16, ...unlimited, waitMs });
  const inAll = turns({ atOnce: 96, firsts: 64, ...unlimited, waitMs });
  return async (request, work) => {
    const [user, engine] = [currentAsker(), String(request.mount.id)];
    const inTurn = () =>
      inAll(user, async () => {
        // Ends the work if the client has left while it waited.
        await request.giveWay();
        return work();
      });
    try {
      return await ofUser(user, engine, () => atEngine(engine, user, inTurn));
    } catch (error) {
      throw error instanceof NoTurn && error.reason === 'all' ? new NoTurn('own') : error;
    }
  };
}

/** Runs a removal at the provider of an engine in its turn. */
export type RemovalTurns = <Result>(mountId: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Turns of removals: of those for a user or for the server at an engine, then of the namespaces just below the root, each
 * with all in it. A removal makes four calls at once at most.
 * @param namespaceOf the namespace of a mount
 * @param closed ends the waiting
 */
export function removalTurns(
  namespaceOf: (mountId: number) => string | undefined,
  closed: AbortSignal,
): RemovalTurns {
  const atEngine = turnsByKey({ atOnce: 12, ownAtOnce: 8, ...unlimited });
  const inAll = turns({ atOnce: 64, ownAtOnce: 24, firsts: 64, ...unlimited });
  return (mountId, work) => {
    const inTurn = () => inAll(topOf(namespaceOf(mountId) ?? ''), work, closed);
    return atEngine(String(mountId), currentAsker(), inTurn, closed);
  };
}
