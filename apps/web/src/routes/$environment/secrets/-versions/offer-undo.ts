import { toasts, type ToastMessage } from '@gatehouse/ui/toast';
import type { SecretPlace } from '#queries/secrets.ts';

/** The notifications that offer to undelete, by the secret that they are about. */
const offers = new Map<string, string>();

const idOf = ({ environment, mount, path }: SecretPlace): string => [environment, mount, path].join('\n');

/** Says what was deleted, and offers to undo it. */
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

/** What was offered is no longer so: the versions were undeleted, or are gone. */
export function withdrawUndo(place: SecretPlace): void {
  const key = offers.get(idOf(place));
  if (key !== undefined) toasts.close(key);
}
