import type { Harm } from '@gatehouse/api-types/console/harm';
import { ConfirmDialog, type ConfirmDialogProps } from '@gatehouse/ui/confirm-dialog';
import { DiffList } from '@gatehouse/ui/diff-list';
import { useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { isApiError } from '#lib/api-error.ts';
import { conflictTitles, failureTitle, sentencesOf } from '#lib/error-words.ts';
import type { Revised } from '#queries/records.ts';
import { useLadder } from '../guards/use-ladder.ts';
import { changesSince } from './changes-since.ts';
import type { ComparedKind } from './record-kind.ts';
import { useGuarded } from './use-guarded.ts';

export interface ConfirmRecordProps<Item extends Revised, Fields extends FieldValues, Result> extends Pick<
  ConfirmDialogProps,
  'confirmLabel' | 'impacts' | 'tone' | 'size' | 'children'
> {
  kind: ComparedKind<Item, Fields>;
  item: Item;
  /** The harm that the action's address declares. */
  harm: Harm | undefined;
  /** The text to type, if the confirmation requires it. */
  typedName: string;
  /** The question, with the record as known now. */
  title: string | ((now: Item) => string);
  /** The revision that guards the action, if it affects more than the record. */
  revisionOf?: (item: Item) => string;
  /** Changes outside the fields, such as a state or parts. */
  noteOf?: (seen: Item, now: Item) => ReactNode;
  /** Label of the button after the record has been changed since. */
  anywayLabel: string;
  /** Whether dependent records are still being read. */
  isLookingUp?: boolean;
  /** Acts on the record at the revision that the user saw. */
  act: (revision: string) => Promise<Result>;
  /** Called once the goal is reached, by whomever. */
  onDone: (result: Result) => void;
  /** Called if the record is gone: for a deletion that is success, otherwise the user is notified. */
  onGone: () => void;
  onCancel: () => void;
}

/** Confirms an action on a record. If the record has changed since, the action requires another look. */
export function ConfirmRecord<Item extends Revised, Fields extends FieldValues, Result>({
  kind,
  item,
  harm,
  title,
  revisionOf = ({ revision }) => revision,
  noteOf,
  anywayLabel,
  typedName,
  isLookingUp = false,
  act,
  onDone,
  onGone,
  onCancel,
  confirmLabel,
  children,
  ...dialog
}: ConfirmRecordProps<Item, Fields, Result>) {
  const [isAsking, setAsking] = useState(false);
  const { asks } = useLadder(harm, typedName);
  const { seen, newer, isPending, error, run } = useGuarded({
    item,
    act: (now) => act(revisionOf(now)),
    newerOf: ({ current }) => kind.schema.safeParse(current).data,
    onDone,
    onGone,
  });
  const changes = newer === undefined ? [] : changesSince(kind, seen, newer);
  return (
    <ConfirmDialog
      {...dialog}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !isPending) onCancel();
      }}
      title={typeof title === 'string' ? title : title(newer ?? seen)}
      confirmLabel={newer === undefined ? confirmLabel : anywayLabel}
      {...asks}
      isPending={isPending}
      errorTitle={isModified(error) ? conflictTitles.modified : failureTitle(error)}
      error={
        error !== null
          ? wordsAgainst(error)
          : isAsking && isLookingUp
            ? 'Still checking what uses this record. Try again in a moment.'
            : undefined
      }
      onConfirm={() => {
        if (isLookingUp) setAsking(true);
        else run();
      }}
    >
      <div className="flex flex-col gap-3">
        {children}
        {isLookingUp && <p role="status">Checking what uses this record.</p>}
        {changes.length > 0 && (
          <DiffList
            label={conflictTitles.modified}
            beforeLabel="Last seen"
            afterLabel="Current"
            changes={changes}
          />
        )}
        {newer !== undefined && noteOf?.(seen, newer)}
      </div>
    </ConfirmDialog>
  );
}

function wordsAgainst(error: unknown): string {
  if (isModified(error)) return 'The changes are shown above. Confirm again if you still want this.';
  return sentencesOf(error);
}

function isModified(error: unknown): boolean {
  return isApiError(error, 'conflict') && error.problem?.conflict?.reason === 'modified';
}
