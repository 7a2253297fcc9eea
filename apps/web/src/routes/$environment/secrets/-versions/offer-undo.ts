import { toasts, type ToastMessage } from '@gatehouse/ui/toast';
import type { SecretPlace } from '#queries/secrets.ts';

/** The keys of notifications that offer to undelete, by secret. */
const offers = new Map<string, string>();

const idOf = ({ environment, mount, path }: SecretPlace): string => [environment, mount, path].join('\n');

/** Reports a deletion, and offers to undo it. */
export function offerUndo(place: SecretPlace, message: ToastMessage): void {
  const id = idOf(place);
  withdrawUndo(place);
  const key = toasts.ok({
    ...message,
    onClose: () => {
      if (offers.get(id) === key) offers.delete(id);
    },
  });
  offers.set(id, key);
}

/** Removes the offer, because the versions were undeleted or deleted permanently. */
export function withdrawUndo(place: SecretPlace): void {
  const key = offers.get(idOf(place));
  if (key !== undefined) toasts.close(key);
}
