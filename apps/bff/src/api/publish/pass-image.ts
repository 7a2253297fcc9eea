import { isDeepStrictEqual } from 'node:util';
import { hasImage } from '@gatehouse/api-types/console/box-values';
import type { Provider } from '@gatehouse/api-types/console/boxes';
import type { Guard } from '#ground/call.ts';
import type { Context } from '#operation/context.ts';
import type { StoredProvider, StoredRun } from '#uploads/runs.ts';
import { readProvider } from '#upstreams/box-registry/boxes.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { orUnknown } from './may-publish.ts';
import { isSamePart } from './plan.ts';

/**
 * Lets an image through that is about to be sent, and keeps for its delivery, which may come much later, whether it may
 * replace the one that is there. What the registry doesn't tell now may be there.
 */
export async function passImage(
  { runs }: Context,
  guard: Guard,
  caller: BoxesCaller,
  { id, plan: { box, version } }: StoredRun,
  judged: StoredProvider,
): Promise<void> {
  const { name: provider, architecture, may_replace: before } = judged;
  if (box === null || version === null) return guard.pass(undefined);
  const place = { username: box.username, name: box.name, version: version.version, provider, architecture };
  const stored = await orUnknown(readProvider(caller, place));
  const mayReplace =
    stored === 'unknown'
      ? { size: null, checksum: '' }
      : stored !== null && hasImage(stored)
        ? imageOf(stored)
        : null;
  await guard.pass(mayReplace === null ? undefined : 'destroys');
  if (isDeepStrictEqual(mayReplace, before)) return;
  await runs.change(id, (plan) => ({
    ...plan,
    // Of one that is planned otherwise by then another image would be replaced.
    providers: plan.providers.map((one) =>
      isSamePart(one, judged) ? { ...one, may_replace: mayReplace } : one,
    ),
  }));
}

/** What tells the image of a provider from others. */
export function imageOf({ size, checksum }: Provider): NonNullable<StoredProvider['may_replace']> {
  return { size, checksum };
}
