import { ConfirmDialog, type ConfirmDialogProps, type Impact } from '@gatehouse/ui/confirm-dialog';
import { DiffList } from '@gatehouse/ui/diff-list';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import { changesBetween } from '#components/form/field-changes.ts';
import type { RecordFormSpec } from '#components/form/record-form.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { Revised } from './EditStored.tsx';

export interface ConfirmStoredProps<Item extends Revised, Fields extends FieldValues> {
  item: Item;
  /** The record as the server sends it in a conflict. */
  schema: z.ZodMiniType<Item>;
  /** In what words a change of it is said. */
  spec: RecordFormSpec<Fields>;
  fieldsOf: (item: Item) => Fields;
  /** What the deletion of a record is guarded by, where it takes more with it. */
  revisionOf?: (item: Item) => string;
  /** Changes that no field holds: a state, parts. */
  noteOf?: (seen: Item, now: Item) => ReactNode;
  title: string;
  confirmLabel: string;
  /** The confirmation after it was changed meanwhile. */
  anywayLabel: string;
  typedName?: string;
  tone?: 'danger' | 'primary';
  size?: ConfirmDialogProps['size'];
  impacts: readonly Impact[];
  /** Called with the revision that the person saw. */
  mutation: UseMutationResult<unknown, unknown, string>;
  /** What it was wanted for is so, whoever did it. */
  onDone: () => void;
  /** It is gone: for a deletion that is done, else the person is told. */
  onGone: () => void;
  onCancel: () => void;
  children?: ReactNode;
}

/** Asks before something is done to a record of the registry. What was changed meanwhile is not done to unseen. */
export function ConfirmStored<Item extends Revised, Fields extends FieldValues>({
  item,
  schema,
  spec,
  fieldsOf,
  revisionOf = ({ revision }) => revision,
  noteOf,
  title,
  confirmLabel,
  anywayLabel,
  typedName,
  tone = 'danger',
  size = 'small',
  impacts,
  mutation,
  onDone,
  onGone,
  onCancel,
  children,
}: ConfirmStoredProps<Item, Fields>) {
  const [newer, setNewer] = useState<Item>();
  // What was looked at when the question was asked: the page behind may have heard of a change since.
  const [seen] = useState(item);
  const run = (): void => {
    mutation.mutate(revisionOf(newer ?? seen), {
      onSuccess: onDone,
      onError: (error) => {
        const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
        if (isApiError(error, 'not-found') || conflict?.reason === 'deleted') {
          onGone();
          return;
        }
        const current = schema.safeParse(conflict?.current);
        if (current.success) setNewer(current.data);
      },
    });
  };
  const changes = newer === undefined ? [] : changesBetween(spec, fieldsOf(seen), fieldsOf(newer));
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !mutation.isPending) onCancel();
      }}
      title={title}
      confirmLabel={newer === undefined ? confirmLabel : anywayLabel}
      tone={tone}
      size={size}
      {...(typedName !== undefined && { typedName })}
      isPending={mutation.isPending}
      error={mutation.isError ? wordsAgainst(mutation.error) : undefined}
      impacts={impacts}
      onConfirm={run}
    >
      <div className="flex flex-col gap-3">
        {children}
        {newer !== undefined && changes.length > 0 && (
          <DiffList label="Changed meanwhile" beforeLabel="You saw" afterLabel="Now" changes={changes} />
        )}
        {newer !== undefined && noteOf?.(seen, newer)}
      </div>
    </ConfirmDialog>
  );
}

function wordsAgainst(error: unknown): string {
  if (isApiError(error, 'conflict') && error.problem?.conflict?.reason === 'modified')
    return 'It was changed since you looked. The changes are shown above; confirm again if it is still right.';
  const { title, detail } = wordsOf(error);
  return `${title}. ${detail}`;
}
