/** Root credentials and lease times of a cloud engine as the console sees them. */
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

/** The revision of what is not configured. */
const none = 'none';

/** Never shown and never sent back, though a server should answer them. */
const secret = /secret|password|security_token|session_token/i;

/** The root configuration, without who changed it and what the caller may do. */
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

/** What a server is sent to replace its root configuration: fields that the console does not know come along. */
export function rootBody(fields: CloudRootFields, other: CloudRoot['other']): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...other, ...fields }).filter(([, value]) => !isNothing(value)));
}

/** Whether a root configuration has what was sent, as far as it can be read. A write replaces all of it: what is not sent is empty. */
export function isRoot(stored: CloudRoot, sent: Readonly<Record<string, unknown>>): boolean {
  return (['access_key', 'region', 'iam_endpoint', 'sts_endpoint', 'max_retries'] as const).every(
    (name) => stored[name] === (sent[name] ?? ''),
  );
}

/** Who saved or rotated root credentials last, as the trail tells it. */
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

/** How long leases last, without what the caller may do. */
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

/** Whether lease times are those that were sent, however they are written. */
export function areTimes(stored: CloudLeaseSettings, sent: Partial<CloudLeaseFields>): boolean {
  return (['lease', 'lease_max'] as const).every((name) => {
    const wanted = sent[name];
    return wanted === undefined || secondsOf(stored[name]) === secondsOf(wanted);
  });
}
