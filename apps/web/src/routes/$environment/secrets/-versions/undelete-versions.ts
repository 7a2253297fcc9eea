import { toasts } from '@gatehouse/ui/toast';
import { nameOf } from '#components/places/secrets.ts';
import { sentencesOf, wordsOf } from '#lib/error-words.ts';
import { useChangeVersions } from '#queries/secret-versions.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { withdrawUndo } from './offer-undo.ts';
import { versionsInWords } from './version-words.ts';

/** Undeletes versions at once: it loses nothing, and can be undone by deleting them again. */
export function useUndelete(): (place: SecretPlace, versions: readonly number[]) => void {
  const change = useChangeVersions('undelete');
  return (place, versions) => {
    const words = `${versionsInWords(versions)} of ${nameOf(place.path)}`;
    // The dialog may be closed already, so the result is shown as a notification.
    change.mutateAsync({ place, versions }).then(
      () => {
        withdrawUndo(place);
        toasts.ok({ title: `Undeleted ${words}` });
      },
      (error: unknown) => {
        const { requestId } = wordsOf(error);
        toasts.danger({
          title: `Couldn't undelete ${words}`,
          detail: sentencesOf(error),
          ...(requestId !== undefined && { requestId }),
        });
      },
    );
  };
}
