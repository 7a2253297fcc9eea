/** Changes of all rows of a move, which may have a hundred thousand. */
import { Slices } from '@gatehouse/service-kit/slices';

/** Rows that one part changes. */
export const partSize = 500;

/** Repeats a change of at most `partSize` rows until none is left, and lets others continue after each. */
export async function inParts(change: () => Promise<number>): Promise<void> {
  const slices = new Slices(() => false, { name: 'rows of moves', isKnown: true });
  do await slices.giveWay();
  while ((await change()) > 0);
}
