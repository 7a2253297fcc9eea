import { hasImage } from '@gatehouse/api-types/console/box-values';
import type { Guard } from '#ground/call.ts';
import type { Context } from '#operation/context.ts';
import type { StoredProvider, StoredRun } from '#uploads/runs.ts';
import { readProvider } from '#upstreams/box-registry/boxes.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { orUnknown } from './may-publish.ts';

/**
 * Lets an image through that is about to be sent, and keeps for its delivery, which may come much later, whether it may
 * replace another one. What the registry doesn't tell now may be there.
 */
export async function passImage(
  { runs }: Context,
  guard: Guard,
  caller: BoxesCaller,
  { id, plan: { box, version } }: StoredRun,
  { id: providerId, name: provider, architecture, replaces: mayReplace }: StoredProvider,
): Promise<void> {
  if (box === null || version === null) return guard.pass(undefined);
  const place = { username: box.username, name: box.name, version: version.version, provider, architecture };
  const stored = await orUnknown(readProvider(caller, place));
  const replaces = stored === 'unknown' || (stored !== null && hasImage(stored));
  await guard.pass(replaces ? 'destroys' : undefined);
  if (replaces === mayReplace) return;
  await runs.change(id, (plan) => ({
    ...plan,
    providers: plan.providers.map((one) => (one.id === providerId ? { ...one, replaces } : one)),
  }));
}
