import type { IncomingMessage } from 'node:http';
import {
  addressList,
  addressThrough,
  fieldEntries,
  isLoopback,
  networkOf,
  plainAddress,
} from '@gatehouse/service-kit/client-address';
import { askerOf, type Asker } from '@gatehouse/service-kit/slices';

/** The sender of a request, seen through the trusted proxies. */
export type Peers = ReturnType<typeof peers>;

/** @param trustedProxies addresses or networks in CIDR form, validated by the configuration */
export function peers(trustedProxies: readonly string[]) {
  const trusted = addressList(trustedProxies);
  const addressOf = (req: IncomingMessage): string => addressThrough(trusted, req);
  return {
    /**
     * The address of the user's machine: the connection's own, or what a trusted proxy says (the last entry of
     * X-Forwarded-For that isn't a trusted proxy).
     */
    addressOf,
    /** Who takes the turns of a request without a session: its network. */
    strangerOf: (req: IncomingMessage): Asker =>
      askerOf(undefined, networkOf(addressOf(req)), 'console', req),
    /** Whether nobody on the way could read the request: loopback, TLS, or a trusted proxy reached over https. */
    isPrivate(req: IncomingMessage): boolean {
      if ('encrypted' in req.socket && req.socket.encrypted === true) return true;
      const peer = plainAddress(req.socket.remoteAddress);
      if (trusted(peer)) return fieldEntries(req, 'x-forwarded-proto').at(-1) === 'https';
      return peer === '' || isLoopback(peer);
    },
  };
}
