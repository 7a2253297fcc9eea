import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Directory } from '#upstreams/directory.ts';
import type { Connections, KeptToken } from './connections.ts';
import type { Sessions } from './sessions.ts';

/** Gives tokens more time while their sessions are used, where their services do that. */
export interface Renewals {
  /**
   * Renews a token that is past half of its time, in the background: what it is used for meanwhile is not held up. Many
   * who ask at once share one renewal; one that brought no more time is not repeated soon.
   */
  keepAlive(sessionId: string, environment: string, service: ServiceName, token: KeptToken): void;
  /** Resolves when no renewal is under way. */
  settled(): Promise<void>;
}

/** After a renewal that failed or gave no time, in milliseconds. */
const pause = 60_000;

/** @param parts `log` is told of failures, which cost nothing but time: the person signs in again when it is over */
export function renewals(parts: {
  readonly directory: Directory;
  readonly connections: Connections;
  readonly sessions: Pick<Sessions, 'prolong'>;
  readonly clock: Clock;
  readonly log: Log;
}): Renewals {
  const { directory, connections, sessions, clock, log } = parts;
  /** Renewals under way and those that were of no use, by session and token: when the next may be tried. */
  const notBefore = new Map<string, number>();
  const working = new Set<Promise<void>>();

  const renew = async (
    key: string,
    [sessionId, environment, service]: readonly [string, string, ServiceName],
    { token, tokenId, expiresAt }: KeptToken,
  ): Promise<void> => {
    try {
      const until = await directory.service(environment, service).renew?.(token);
      if (typeof until === 'number' && until > (expiresAt ?? 0)) {
        await connections.renewed(sessionId, environment, service, { tokenId, expiresAt: until });
        await sessions.prolong(sessionId, { environment, service, expiresAt: until });
        notBefore.delete(key);
      }
    } catch (error) {
      log.warn('token not renewed', { upstream: service, error });
    }
  };

  return {
    keepAlive(sessionId, environment, service, token) {
      const { expiresAt, since } = token;
      const now = clock.now();
      if (expiresAt === null || expiresAt - now > (expiresAt - since) / 2 || expiresAt <= now) return;
      const key = JSON.stringify([sessionId, environment, service, token.tokenId]);
      if ((notBefore.get(key) ?? 0) > now) return;
      for (const [other, time] of notBefore) if (time <= now) notBefore.delete(other);
      notBefore.set(key, now + pause);
      const work = renew(key, [sessionId, environment, service], token).finally(() => working.delete(work));
      working.add(work);
    },
    async settled() {
      await Promise.all(working);
    },
  };
}
