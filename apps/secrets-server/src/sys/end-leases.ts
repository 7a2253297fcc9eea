import type { Mount } from '../core/mount.ts';
import { badRequest } from '../core/refusal.ts';
import type { Leases } from '../identity/leases.ts';

/** How many of those that are left an answer names. */
const named = 5;

/**
 * Takes back all that was issued through a mount, before what it takes to do so is removed with it.
 * @throws Refusal 400 that says what could not be taken back
 */
export async function endLeases(leases: Leases, mount: Mount, now: number): Promise<void> {
  const left = await leases.endOfMount(mount, now);
  if (left.length === 0) return;
  const more = left.length > named ? ` and ${left.length - named} more` : '';
  throw badRequest(
    `cannot unmount "${mount.path}": leases not revoked yet: ${left.slice(0, named).join(', ')}${more}. ` +
      `The server keeps retrying. To remove the leases without revoking their credentials, call sys/leases/revoke-force/${mount.path}.`,
  );
}
