import { ConfirmDialog, type Impact } from '@gatehouse/ui/confirm-dialog';
import { DiffList } from '@gatehouse/ui/diff-list';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { forgetRecord, useDeleteRecord, type StoredRecord } from '#queries/records.ts';
import { changesBetween } from '../form/field-changes.ts';
import { useEnvironment } from '../layout/use-environment.ts';
import { capital, type RecordKind } from './record-kind.ts';

export interface DeleteRecordProps<Item extends StoredRecord, Fields extends FieldValues, New, Changes> {
  kind: RecordKind<Item, Fields, New, Changes>;
  item: Item;
  /** What loses it; undefined while that is still being looked up. */
  impacts: readonly Impact[] | undefined;
  /** Told whether it is gone. */
  onClose: (isGone: boolean) => void;
}

/** Asks with everything that depends on it in sight, then deletes. What was changed meanwhile is not deleted unseen. */
export function DeleteRecord<Item extends StoredRecord, Fields extends FieldValues, New, Changes>({
  kind,
  item,
  impacts,
  onClose,
}: DeleteRecordProps<Item, Fields, New, Changes>) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const remove = useDeleteRecord<Item>(kind.calls, environment.id);
  const [newer, setNewer] = useState<Item>();
  const [isAsking, setAsking] = useState(false);
  const name = kind.nameOf(item);

  const gone = (): void => {
    toasts.ok({ title: `${capital(kind.noun)} ${name} deleted` });
    onClose(true);
  };
  const run = (): void => {
    if (impacts === undefined) {
      setAsking(true);
      return;
    }
    remove.mutate(
      { id: item.id, revision: newer?.revision ?? item.revision },
      {
        onSuccess: gone,
        onError: (error) => {
          const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
          if (isApiError(error, 'not-found') || conflict?.reason === 'deleted') {
            // Somebody else was faster: it is what was wanted.
            forgetRecord(queryClient, kind.calls, environment.id, item.id);
            gone();
            return;
          }
          const current = kind.schema.safeParse(conflict?.current);
          if (current.success) setNewer(current.data);
        },
      },
    );
  };
  const words = (error: unknown): string => {
    if (isApiError(error, 'conflict'))
      return 'It was changed since you looked. The changes are shown above; confirm again to delete it as it is now.';
    const { title, detail } = wordsOf(error);
    return `${title}. ${detail}`;
  };
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !remove.isPending) onClose(false);
      }}
      title={`Delete ${kind.noun} ${name}?`}
      confirmLabel={newer === undefined ? `Delete ${kind.noun}` : 'Delete it anyway'}
      {...(environment.kind === 'production' && { typedName: name })}
      isPending={remove.isPending}
      error={
        remove.isError
          ? words(remove.error)
          : isAsking && impacts === undefined
            ? 'What uses it is still being looked up. Try again in a moment.'
            : undefined
      }
      impacts={[
        ...(impacts ?? []),
        {
          kind: 'worth-knowing',
          text: `It cannot be taken back. A ${kind.noun} made anew has another id.`,
        },
      ]}
      onConfirm={run}
    >
      <div className="flex flex-col gap-3">
        <p>
          <span className="font-mono text-meta">{item.id}</span> in {environment.name}.
        </p>
        {impacts === undefined && <p role="status">Looking up what uses it.</p>}
        {newer && (
          <DiffList
            label="Changed meanwhile"
            beforeLabel="You saw"
            afterLabel="Now"
            changes={changesBetween(kind.formOf(item), kind.fieldsOf(item), kind.fieldsOf(newer))}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}
