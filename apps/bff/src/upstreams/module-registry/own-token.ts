import { ownToken as wireOwnToken, type WireOwnToken } from '@gatehouse/api-types/services/module-registry';
import { notThere, orNull, type ModulesCaller } from './client.ts';

/** How long a registry is assumed to lack additions to the protocol, in milliseconds. */
const believedFor = 5 * 60_000;

/** The caller's token at the registry, with its owner and role. @returns null if the registry doesn't report it */
export async function ownToken(caller: ModulesCaller): Promise<WireOwnToken | null> {
  const { registry, transport } = caller;
  const at = { of: 'tokens', names: ['self'] } as const;
  const now = registry.clock.now();
  if (registry.known.unmanagedUntil !== undefined && registry.known.unmanagedUntil > now) return null;
  const read = async (): Promise<WireOwnToken> =>
    await transport.parse(wireOwnToken, await caller.send({ method: 'GET', at }));
  // A 403 applies to this token only, so it isn't remembered.
  return orNull(async () => {
    const found = await orNull(read, ...notThere, 200);
    if (found === null) registry.known.unmanagedUntil = now + believedFor;
    else delete registry.known.unmanagedUntil;
    return found;
  }, 403);
}
