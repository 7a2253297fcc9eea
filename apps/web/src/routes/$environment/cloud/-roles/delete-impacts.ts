import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { losingTargets, type TargetsReading } from '#components/source/losing-targets.ts';
import { counted } from '#lib/counted.ts';

/**
 * The effects of deleting a role.
 * @param leases the number of active leases; null if they can't be listed
 * @param targets the targets that use the role; null if they can't be looked up
 */
export function deleteImpacts(leases: number | null, targets: TargetsReading | null): readonly Impact[] {
  return [
    ...losingTargets(targets, 'this role'),
    {
      kind: 'worth-knowing',
      text:
        leases === null
          ? "You can't list this role's leases. Credentials it issued stay valid until their leases end."
          : leases === 0
            ? 'This role has no active leases.'
            : `${counted(leases, 'lease')} ${leases === 1 ? 'is' : 'are'} not revoked: the credentials stay valid until ${leases === 1 ? 'the lease ends. Revoke it' : 'the leases end. Revoke them'} first to prevent this.`,
    },
  ];
}
