import type { Harm } from '@gatehouse/api-types/console/harm';
import { ConfirmDialog, type ConfirmDialogProps } from '@gatehouse/ui/confirm-dialog';
import { DiffList } from '@gatehouse/ui/diff-list';
import { useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { isApiError } from '#lib/api-error.ts';
import { conflictTitles, failureTitle, wordsOf } from '#lib/error-words.ts';
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
  /** What the action can do, as its address declares it. */
  harm: Harm | undefined;
  /** What is typed where that asks for it. */
  typedName: string;
  /** The question, of the record as it is known by now. */
  title: string | ((now: Item) => string);
  /** What the action is guarded by, where it takes more with it than the record. */
  revisionOf?: (item: Item) => string;
  /** Changes that no field holds: a state, parts. */
  noteOf?: (seen: Item, now: Item) => ReactNode;
  /** The confirmation after it was changed meanwhile. */
  anywayLabel: string;
  /** What depends on it is still being looked up. */
  isLookingUp?: boolean;
  /** Does it to the record at the revision that the person saw. */
  act: (revision: string) => Promise<Result>;
  /** What it was wanted for is so, whoever did it. */
  onDone: (result: Result) => void;
  /** It is gone: for a deletion that is done, else the person is told. */
  onGone: () => void;
  onCancel: () => void;
}

/** Asks before something is done to a record. What was changed meanwhile is not done to unseen. */
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
  const { title, detail } = wordsOf(error);
  return `${title}. ${detail}`;
}

function isModified(error: unknown): boolean {
  return isApiError(error, 'conflict') && error.problem?.conflict?.reason === 'modified';
}
