import type { IncomingMessage } from 'node:http';
import { consoleHeader } from '@gatehouse/api-types/contract';
import { isLoopback } from '@gatehouse/service-kit/client-address';
import { ProblemError } from '#ground/problem.ts';
import type { Peers } from './peer.ts';

/** What the guards compare requests with. */
export interface GuardOptions {
  readonly peers: Peers;
  /** Names of the console besides loopback: `host` (any port) or `host:port`. */
  readonly allowedHosts: readonly string[];
  /** Whether loopback names are accepted too. */
  readonly loopback: boolean;
  /** Whether browsers reach the console over https. */
  readonly https: boolean;
}

/** Refuses requests that don't come from the console's own page, before other code sees them. */
export type Guards = ReturnType<typeof guards>;

export function guards(options: GuardOptions) {
  const { peers, loopback, https } = options;
  const allowed = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  const isAllowed = (host: string): boolean => {
    const name = hostName(host);
    return allowed.has(host) || allowed.has(name) || (loopback && isLoopback(name));
  };
  return {
    /**
     * For all requests: refuses a Host that isn't the console's (DNS rebinding), and plain http from elsewhere, with
     * ProblemError `host-refused` or `origin-refused`.
     */
    hostRefusal(req: IncomingMessage): ProblemError | undefined {
      const host = (req.headers.host ?? '').toLowerCase();
      if (host === '' || !isAllowed(host)) {
        return new ProblemError(
          'host-refused',
          "This host name isn't allowed. Add it to console.allowed_hosts in the configuration, or use the configured address.",
        );
      }
      if (peers.isPrivate(req)) return undefined;
      return new ProblemError(
        'origin-refused',
        'The console is available only over https or through its trusted proxy.',
      );
    },
    /**
     * For all requests to /api: the static header, and same-origin by Sec-Fetch-Site or, without it, by Origin.
     * @throws ProblemError `origin-refused`
     */
    checkOrigin(req: IncomingMessage): void {
      if (req.headers[consoleHeader.name] !== consoleHeader.value) {
        throw new ProblemError(
          'origin-refused',
          `Requests to the API need the header "${consoleHeader.name}: ${consoleHeader.value}".`,
        );
      }
      const origin = req.headers.origin;
      const expected = `${https ? 'https' : 'http'}://${(req.headers.host ?? '').toLowerCase()}`;
      const site = req.headers['sec-fetch-site'];
      const sameOrigin =
        site === undefined
          ? origin === expected
          : site === 'same-origin' && (origin === undefined || origin === expected);
      if (!sameOrigin) {
        throw new ProblemError('origin-refused', 'The request came from another site.');
      }
    },
  };
}

/** The name of a Host header without its port. Brackets of IPv6 stay. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}
