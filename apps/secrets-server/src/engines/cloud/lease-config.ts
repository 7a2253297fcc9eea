import type { Route } from '../../core/backend.ts';
import type { Body } from '../../core/body.ts';
import { formatDuration } from '../../core/duration.ts';
import { textField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import { parseSuffixedDuration } from '../../domain/cloud/lease-times.ts';
import type { LeaseTimes } from '../../domain/cloud/lease-times.ts';
import type { Engine } from './engine.ts';

/** The default and maximum lifetime of IAM users' credentials. */
export function leaseConfigRoute({ store }: Engine): Route {
  return {
    path: 'config/lease',
    fields: ['lease', 'lease_max'],
    forwarded: true,
    exists: ({ mount }) => store.leaseTimes(mount.id) !== undefined,
    operations: {
      read: ({ mount }) => {
        const times = store.leaseTimes(mount.id);
        if (times === undefined) return undefined;
        return { data: { lease: formatDuration(times.lease), lease_max: formatDuration(times.leaseMax) } };
      },
      update: async ({ mount, body }) => {
        await store.saveLeaseTimes(mount.id, leaseTimesOf(body));
        return undefined;
      },
    },
  };
}

/** Parses lease times. @throws Refusal 400 */
export function leaseTimesOf(body: Body): LeaseTimes {
  const [lease, leaseMax] = ['lease', 'lease_max'].map((name) => {
    const text = textField(body, name) ?? '';
    if (text === '') throw badRequest(`'${name}' is a required parameter`);
    return { name, duration: parseSuffixedDuration(text) };
  });
  return { lease: secondsOf(lease), leaseMax: secondsOf(leaseMax) };
}

function secondsOf(field: { readonly name: string; readonly duration: number | string } | undefined): number {
  if (typeof field?.duration === 'number') return field.duration;
  throw badRequest(`Invalid ${field?.name}: ${field?.duration}`);
}
