import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Directory } from '#upstreams/directory.ts';
import type { Connections, KeptToken } from './connections.ts';
import type { Sessions } from './sessions.ts';

/** Renews tokens of sessions in use, if their services support it. */
export interface Renewals {
  /**
   * Renews a token that is past half of its lifetime in the background, without delaying requests that use it.
   * Concurrent requests share one renewal. A renewal that gave no more time isn't repeated soon.
   */
  keepAlive(sessionId: string, environment: string, service: ServiceName, token: KeptToken): void;
  /** Resolves when no renewal is in progress. */
  settled(): Promise<void>;
}

/** Pause after a renewal that failed or gave no more time, in milliseconds. */
const pause = 60_000;

/** @param parts `log` receives failures, which cost only time: the user signs in again when the token has ended */
export function renewals(parts: {
  readonly directory: Directory;
  readonly connections: Connections;
  readonly sessions: Pick<Sessions, 'prolong'>;
  readonly clock: Clock;
  readonly log: Log;
}): Renewals {
  const { directory, connections, sessions, clock, log } = parts;
  /** Renewals in progress, and when (on the monotonic clock) those that gave no time may be retried, by session and token. */
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
      const elapsed = clock.monotonic();
      if ((notBefore.get(key) ?? -Infinity) > elapsed) return;
      for (const [other, time] of notBefore) if (time <= elapsed) notBefore.delete(other);
      notBefore.set(key, elapsed + pause);
      const work = renew(key, [sessionId, environment, service], token).finally(() => working.delete(work));
      working.add(work);
    },
    async settled() {
      await Promise.all(working);
    },
  };
}
