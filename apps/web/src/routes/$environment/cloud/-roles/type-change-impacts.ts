import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { counted } from '#lib/counted.ts';
import type { LostField } from './role-fields.ts';

export const limitIsLost = 'This removes a security limit: nothing caps what is issued afterwards.';

/**
 * What another credential type leads to.
 * @param leases how many run; null where they can't be listed
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
          ? "You can't list its leases. Credentials it issued stay valid until their leases end."
          : leases === 0
            ? 'It has no active leases.'
            : `${counted(leases, 'lease')} ${leases === 1 ? 'keeps' : 'keep'} running: credentials it issued stay valid until they end.`,
    },
  ];
}
