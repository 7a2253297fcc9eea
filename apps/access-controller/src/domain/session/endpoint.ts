import { isIPv6 } from 'node:net';
import { Refusal, invalidField } from '../refusal.ts';
import type { Target } from '../target/target.ts';

/** A host, and the target's host set that contains it. */
export interface OfferedHost {
  readonly hostId: string;
  readonly hostSetId: string;
  readonly address: string;
}

/** The hosts of a target's host sets, which may be many. `hostId` limits them to one host; empty means all. */
export interface OfferedHosts {
  /** The sets and the number of their hosts, in a stable order. */
  sets(hostId: string): readonly { readonly hostSetId: string; readonly hosts: number }[];
  /** @param index from 0, in a stable order */
  at(hostSetId: string, hostId: string, index: number): OfferedHost | undefined;
}

/**
 * Chooses a session's host: the requested one, or any from the target's host sets; for a target with an address, that
 * address.
 * @param offered the hosts of the target's host sets
 * @param hostId the requested host; empty for any
 * @param pick chooses an integer from 0 below `count`
 * @throws Refusal `not found` if the target has no endpoint, `invalid argument` on `host_id`
 */
export function chooseHost(
  target: Target,
  offered: OfferedHosts,
  hostId: string,
  pick: (count: number) => number,
): OfferedHost {
  if (target.address !== '') {
    if (hostId !== '')
      throw invalidField('host_id', 'The target has an address and no hosts to choose from.');
    return { hostId: '', hostSetId: '', address: target.address };
  }
  if (target.hostSources.length === 0) {
    throw new Refusal('not found', 'No host sources or address found for given target.');
  }
  const sets = offered.sets(hostId);
  const count = countOf(sets);
  if (hostId !== '' && count === 0 && countOf(offered.sets('')) > 0) {
    throw invalidField('host_id', `The target's host sets have no host ${hostId}.`);
  }
  let index = count === 0 ? 0 : pick(count);
  const set = sets.find(({ hosts }) => {
    const isHere = index < hosts;
    if (!isHere) index -= hosts;
    return isHere;
  });
  const chosen = set && offered.at(set.hostSetId, hostId, index);
  if (chosen === undefined)
    throw new Refusal('not found', 'No hosts found in the host sources of given target.');
  return chosen;
}

function countOf(sets: ReturnType<OfferedHosts['sets']>): number {
  return sets.reduce((sum, { hosts }) => sum + hosts, 0);
}

/** The endpoint of a session as a URL. */
export function endpointUrl(address: string, port: number): string {
  return `tcp://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
