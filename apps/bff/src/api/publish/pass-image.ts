import { isDeepStrictEqual } from 'node:util';
import { hasImage } from '@gatehouse/api-types/console/box-values';
import type { Provider } from '@gatehouse/api-types/console/boxes';
import type { Guard } from '#ground/call.ts';
import type { Context } from '#operation/context.ts';
import type { StoredProvider, StoredRun } from '#uploads/runs.ts';
import { readProvider, readVersion } from '#upstreams/box-registry/boxes.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { orUnknown } from './may-publish.ts';
import { isSamePart } from './plan.ts';

/**
 * Passes the guard before an image is sent. Also records for the delivery, which may come much later, whether it may
 * replace the existing image, and add to a released version. If the registry doesn't say, nothing more is allowed than
 * before: a delivery that meets an image or a release then fails, and its retry asks.
 */
export async function passImage(
  { runs }: Context,
  guard: Guard,
  caller: BoxesCaller,
  { id, plan: { box, version } }: StoredRun,
  judged: StoredProvider,
): Promise<void> {
  const { name: provider, architecture } = judged;
  if (box === null || version === null) return guard.pass(undefined);
  const place = { username: box.username, name: box.name, version: version.version, provider, architecture };
  const [stored, status] = await Promise.all([
    orUnknown(readProvider(caller, place)),
    orUnknown(readVersion(caller, place).then((found) => found?.status)),
  ]);
  const mayAdd = status === 'unknown' ? judged.may_add : status === 'active';
  const mayReplace =
    stored === 'unknown' ? judged.may_replace : stored !== null && hasImage(stored) ? imageOf(stored) : null;
  await guard.pass(mayReplace !== null ? 'destroys' : mayAdd ? 'reaches' : undefined);
  if (mayAdd === judged.may_add && isDeepStrictEqual(mayReplace, judged.may_replace)) return;
  await runs.change(id, (plan) => ({
    ...plan,
    // If the provider is planned differently now, another image would be replaced or added.
    providers: plan.providers.map((one) =>
      isSamePart(one, judged) ? { ...one, may_replace: mayReplace, may_add: mayAdd } : one,
    ),
  }));
}

/** The properties that identify a provider's image. */
export function imageOf({ size, checksum }: Provider): NonNullable<StoredProvider['may_replace']> {
  return { size, checksum };
}
