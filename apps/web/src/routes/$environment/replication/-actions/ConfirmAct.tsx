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
  /** The environment whose cluster it is done to: what is asked depends on it, wherever the page is. */
  cluster: Place;
  /** What is typed; the name of the environment, unless given. */
  typedName?: string;
  /** What is wrong with what was entered; undefined where nothing is. */
  refused?: () => string | undefined;
  /** Answers what the server said about it, where it says anything. */
  act: () => Promise<ReplicationChanged | undefined>;
  /** `Production demoted` */
  done: string;
  /** Called with what the server said about it, once it is done. */
  onDone?: ((warnings: readonly string[]) => void) | undefined;
  onClose: () => void;
}

/** Asks before something is done to a cluster, by its name; then says what the server said about it. */
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
        // Who closes the question for the password knows that nothing was done.
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

/** Says that it was done, what the server added, and whether one has to connect again. */
function tellChanged(title: string, changed: ReplicationChanged | undefined): void {
  const detail = [
    ...(changed?.warnings ?? []),
    ...(changed?.connected === false
      ? ['Your token for this cluster is no longer valid. Connect to its secrets server again.']
      : []),
  ].join(' ');
  toasts.ok({ title, ...(detail !== '' && { detail }) });
}
