/** A cloud engine's root credentials and lease times in the console's format. */
import type {
  CloudLeaseFields,
  CloudLeaseSettings,
  CloudRoot,
  CloudRootFields,
} from '@gatehouse/api-types/console/cloud-engines';
import { secondsOf } from '@gatehouse/api-types/console/cloud-values';
import type { Slices } from '@gatehouse/service-kit/slices';
import { hashOf } from '#ground/fields-revision.ts';
import type { Context } from '#operation/context.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readLeaseTimes, readRoot } from '#upstreams/secrets-server/cloud.ts';
import { isNothing } from './is-nothing.ts';

/** The revision of a missing configuration. */
const none = 'none';

/** Fields that are never shown and never sent back, in case a server returns them. */
const secret = /secret|password|security_token|session_token/i;

/** The root configuration, without its last author and what the caller may do. */
export async function readCloudRoot(caller: SecretsCaller, mount: string): Promise<CloudRoot> {
  const root = await readRoot(caller, mount);
  const fields = {
    access_key: '',
    region: '',
    iam_endpoint: '',
    sts_endpoint: '',
    max_retries: -1,
  };
  if (root === null) {
    return { mount, revision: none, configured: false, ...fields, other: {}, changed: null, may: null };
  }
  const { access_key, region, iam_endpoint, sts_endpoint, max_retries, ...rest } = root;
  const other = Object.fromEntries(Object.entries(rest).filter(([name]) => !secret.test(name)));
  const known = { access_key, region, iam_endpoint, sts_endpoint, max_retries };
  return {
    mount,
    revision: hashOf({ ...known, other }),
    configured: true,
    ...known,
    other,
    changed: null,
    may: null,
  };
}

/**
 * The body that replaces a root configuration, on a server that keeps what isn't sent (Vault) and on one that clears it
 * (OpenBao): all fields, including empty ones, and those that the console doesn't know.
 */
export function rootBody(fields: CloudRootFields, other: CloudRoot['other']): Record<string, unknown> {
  const kept = Object.entries(other).filter(([, value]) => !isNothing(value));
  return { ...Object.fromEntries(kept), ...fields };
}

/** Whether a root configuration has the sent values, as far as it can be read. Fields not sent are empty. */
export function isRoot(stored: CloudRoot, sent: Readonly<Record<string, unknown>>): boolean {
  return (['access_key', 'region', 'iam_endpoint', 'sts_endpoint', 'max_retries'] as const).every(
    (name) => stored[name] === (sent[name] ?? ''),
  );
}

/** Who last saved or rotated the root credentials, according to the audit trail. */
export async function changeOfRoot(
  { activity }: Context,
  environment: string,
  mount: string,
  slices: Slices,
): Promise<CloudRoot['changed']> {
  const found = await Promise.all(
    ['cloud-engine.update-root', 'cloud-engine.rotate-root'].map((action) =>
      activity.list(
        { environment, service: 'secrets', action, resource_id: mount, outcome: 'succeeded' },
        { limit: 1 },
        slices,
      ),
    ),
  );
  const [last] = found
    .flatMap(({ entries }) => entries)
    .toSorted((a, b) => b.entry.sequence - a.entry.sequence);
  if (last === undefined) return null;
  const { time, person } = last.entry;
  return { time, by: person.name || person.login_name };
}

/** The lease times, without what the caller may do. */
export async function readCloudLease(caller: SecretsCaller, mount: string): Promise<CloudLeaseSettings> {
  const times = await readLeaseTimes(caller, mount);
  return {
    mount,
    revision: times === null ? none : hashOf({ lease: times.lease, lease_max: times.lease_max }),
    configured: times !== null,
    lease: times?.lease ?? '',
    lease_max: times?.lease_max ?? '',
    may: null,
  };
}

/** Whether lease times equal the sent ones in any notation. */
export function areTimes(stored: CloudLeaseSettings, sent: Partial<CloudLeaseFields>): boolean {
  return (['lease', 'lease_max'] as const).every((name) => {
    const wanted = sent[name];
    return wanted === undefined || secondsOf(stored[name]) === secondsOf(wanted);
  });
}
