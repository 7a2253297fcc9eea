import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { counted } from '#lib/counted.ts';
import type { LostField } from './role-fields.ts';

export const limitIsLost =
  'This removes a security limit: no permissions boundary applies to credentials issued afterwards.';

/**
 * The effects of changing the credential type.
 * @param leases the number of active leases; null if they can't be listed
 */
export function typeChangeImpacts(lost: readonly LostField[], leases: number | null): readonly Impact[] {
  return [
    ...lost.map(({ label, value, isLimit }) => ({
      kind: 'breaks' as const,
      text: `Lost: ${label} ${value}${isLimit ? `. ${limitIsLost}` : ''}`,
    })),
    {
      kind: 'worth-knowing',
      text:
        leases === null
          ? "You can't list this role's leases. Credentials it issued stay valid until their leases end."
          : leases === 0
            ? 'This role has no active leases.'
            : `${counted(leases, 'lease')} ${leases === 1 ? 'remains' : 'remain'} active: the credentials stay valid until ${leases === 1 ? 'the lease ends' : 'the leases end'}.`,
    },
  ];
}
