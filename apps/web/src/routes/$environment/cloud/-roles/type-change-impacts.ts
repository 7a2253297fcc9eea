import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { counted } from '#lib/counted.ts';
import type { LostField } from './role-fields.ts';

export const limitIsLost = 'A security limit goes with it: nothing caps what is issued from then on.';

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
          ? 'You may not list its leases: credentials that it issued last until theirs end.'
          : leases === 0
            ? 'No lease of it runs.'
            : `${counted(leases, 'lease')} ${leases === 1 ? 'runs' : 'run'} on: credentials that it issued stay as they are until they end.`,
    },
  ];
}
