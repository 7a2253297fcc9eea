import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { forgetRecord, useDeleteRecord } from '#queries/record-life.ts';
import type { LifeCalls, Revised } from '#queries/records.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { ConfirmRecord } from './ConfirmRecord.tsx';
import { capital, type ComparedKind } from './record-kind.ts';

export interface DeleteRecordProps<Item extends Revised, Fields extends FieldValues, Address> {
  kind: ComparedKind<Item, Fields> & {
    readonly calls: LifeCalls<Item, never, never, Address>;
    readonly noun: string;
    readonly nameOf: (item: Item) => string;
  };
  address: Address;
  item: Item;
  /** `Delete host set primaries?` by default. */
  title?: string | ((now: Item) => string);
  /** `Delete host set` by default. */
  confirmLabel?: string;
  /** `Host set primaries deleted` by default. */
  doneWords?: string;
  /** What depends on it; undefined while that is being read. */
  impacts: readonly Impact[] | undefined;
  /** A note; by default, that a new one would have another ID. */
  remark?: string;
  /** `Delete it anyway` by default. */
  anywayLabel?: string;
  /** The text to type if required; the name by default. */
  typedName?: string;
  /** The revision that guards the deletion, if it affects more than the record. */
  revisionOf?: (item: Item) => string;
  /** Changes outside the fields, such as a state or parts. */
  noteOf?: (seen: Item, now: Item) => ReactNode;
  /** Receives whether the record is gone. */
  onClose: (isGone: boolean) => void;
  /** Identifies the record; by default its ID, if it has one. */
  children?: ReactNode;
}

/** Shows everything that depends on a record, then deletes it. */
export function DeleteRecord<Item extends Revised, Fields extends FieldValues, Address>({
  kind,
  address,
  item,
  title,
  confirmLabel = `Delete ${kind.noun}`,
  doneWords,
  impacts,
  remark = `This can't be undone. A new ${kind.noun} gets a new ID.`,
  anywayLabel = 'Delete it anyway',
  typedName,
  onClose,
  children,
  ...guard
}: DeleteRecordProps<Item, Fields, Address>) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const remove = useDeleteRecord<Item, Address>(kind.calls, environment.id);
  const name = kind.nameOf(item);
  const gone = (): void => {
    toasts.ok({ title: doneWords ?? `${capital(kind.noun)} ${name} deleted` });
    onClose(true);
  };
  return (
    <ConfirmRecord
      {...guard}
      kind={kind}
      item={item}
      title={title ?? `Delete ${kind.noun} ${name}?`}
      confirmLabel={confirmLabel}
      anywayLabel={anywayLabel}
      harm={kind.calls.remove?.harm}
      typedName={typedName ?? name}
      impacts={[...(impacts ?? []), { kind: 'worth-knowing', text: remark }]}
      isLookingUp={impacts === undefined}
      act={(revision) => remove.mutateAsync({ address, revision })}
      onDone={gone}
      onGone={() => {
        // Someone else deleted it first: the goal is reached.
        forgetRecord(queryClient, kind.calls, environment.id, address);
        gone();
      }}
      onCancel={() => {
        onClose(false);
      }}
    >
      {children === undefined && item.id !== undefined ? (
        <p>
          <span className="font-mono text-meta">{item.id}</span> in {environment.name}.
        </p>
      ) : (
        children
      )}
    </ConfirmRecord>
  );
}
