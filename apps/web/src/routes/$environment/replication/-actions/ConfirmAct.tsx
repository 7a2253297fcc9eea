import type { Harm } from '@gatehouse/api-types/console/harm';
import type { ReplicationChanged } from '@gatehouse/api-types/console/replication-status';
import { ConfirmDialog, type ConfirmDialogProps } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { useLadder } from '#components/guards/use-ladder.ts';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import type { Place } from '../-clusters/cluster.ts';

export interface ConfirmActProps extends Pick<
  ConfirmDialogProps,
  'title' | 'confirmLabel' | 'impacts' | 'children' | 'size'
> {
  harm: Harm | undefined;
  /** The environment that the action changes. Its kind decides what is asked, whichever environment the page shows. */
  cluster: Place;
  /** The text to type. Defaults to the environment's name. */
  typedName?: string;
  /** What is wrong with the input; undefined if nothing is. */
  refused?: () => string | undefined;
  /** Resolves with the server's answer, if it has one. */
  act: () => Promise<ReplicationChanged | undefined>;
  /** `Production demoted` */
  done: string;
  /** Called after success with the server's warnings. */
  onDone?: ((warnings: readonly string[]) => void) | undefined;
  onClose: () => void;
}

/** Confirms an action on a cluster by name, then shows the server's warnings. */
export function ConfirmAct({
  harm,
  cluster,
  typedName = cluster.name,
  refused,
  act,
  done: doneWords,
  onDone,
  onClose,
  ...dialog
}: ConfirmActProps) {
  const { asks } = useLadder(harm, typedName, 1, cluster);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const [errorTitle, setErrorTitle] = useState<string>();
  const confirm = (): void => {
    if (isPending) return;
    const wrong = refused?.();
    setError(wrong);
    setErrorTitle(undefined);
    if (wrong !== undefined) return;
    setPending(true);
    act().then(
      (changed) => {
        tellChanged(doneWords, changed);
        onDone?.(changed?.warnings ?? []);
        onClose();
      },
      (failure: unknown) => {
        setPending(false);
        // Closing the password question changes nothing, so no error is shown.
        if (isApiError(failure, 'confirmation-required')) return;
        const { title, detail, mend } = wordsOf(failure);
        setErrorTitle(failureTitle(failure));
        setError([`${title}.`, detail, mend].filter(Boolean).join(' '));
      },
    );
  };
  return (
    <ConfirmDialog
      {...dialog}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !isPending) onClose();
      }}
      {...asks}
      isPending={isPending}
      errorTitle={errorTitle}
      error={error}
      onConfirm={confirm}
    />
  );
}

/** Reports success, the server's warnings, and whether a new sign-in is needed. */
function tellChanged(title: string, changed: ReplicationChanged | undefined): void {
  const detail = [
    ...(changed?.warnings ?? []),
    ...(changed?.connected === false
      ? ['Your token for this cluster is no longer valid. Connect to its secrets server again.']
      : []),
  ].join(' ');
  toasts.ok({ title, ...(detail !== '' && { detail }) });
}
