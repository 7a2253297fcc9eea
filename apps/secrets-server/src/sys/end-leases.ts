import type { Mount } from '../core/mount.ts';
import { badRequest } from '../core/refusal.ts';
import type { Leases } from '../identity/leases.ts';

/** The maximum number of remaining leases that a message lists. */
const named = 5;

/**
 * Revokes all leases of a mount, while its configuration still exists.
 * @throws Refusal 400 with the leases that could not be revoked
 */
export async function endLeases(leases: Leases, mount: Mount, now: number): Promise<void> {
  const { count, some } = await leases.endOfMount(mount, now);
  if (count === 0) return;
  const shown = some.slice(0, named);
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  throw badRequest(
    `cannot unmount "${mount.path}": leases not revoked yet: ${shown.join(', ')}${more}. ` +
      `The server keeps retrying. To remove the leases without revoking their credentials, call sys/leases/revoke-force/${mount.path}.`,
  );
}

/** Removes mounts. If that fails, those whose leases were ended issue again. */
export async function removeMounts(
  leases: Leases,
  mounts: readonly Mount[],
  remove: () => Promise<void>,
): Promise<void> {
  try {
    await remove();
  } catch (error) {
    for (const mount of mounts) leases.resume(mount);
    throw error;
  }
}
