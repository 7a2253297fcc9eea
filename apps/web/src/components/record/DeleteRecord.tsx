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
  /** `Delete host set primaries?` unless given. */
  title?: string | ((now: Item) => string);
  /** `Host set primaries deleted` unless given. */
  doneWords?: string;
  /** What loses it; undefined while that is still being looked up. */
  impacts: readonly Impact[] | undefined;
  /** What is to be known before it; that another made in its place has another id, unless given. */
  remark?: string;
  /** `Delete it anyway` unless given. */
  anywayLabel?: string;
  /** What is typed where that is asked for; its name, unless given. */
  typedName?: string;
  /** What the deletion is guarded by, where it takes more with it than the record. */
  revisionOf?: (item: Item) => string;
  /** Changes that no field holds: a state, parts. */
  noteOf?: (seen: Item, now: Item) => ReactNode;
  /** Told whether it is gone. */
  onClose: (isGone: boolean) => void;
  /** Which one it is; its id unless given, where it has one. */
  children?: ReactNode;
}

/** Asks with everything that depends on it in sight, then deletes. */
export function DeleteRecord<Item extends Revised, Fields extends FieldValues, Address>({
  kind,
  address,
  item,
  title,
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
      confirmLabel={`Delete ${kind.noun}`}
      anywayLabel={anywayLabel}
      harm={kind.calls.remove?.harm}
      typedName={typedName ?? name}
      impacts={[...(impacts ?? []), { kind: 'worth-knowing', text: remark }]}
      isLookingUp={impacts === undefined}
      act={(revision) => remove.mutateAsync({ address, revision })}
      onDone={gone}
      onGone={() => {
        // Somebody else was faster: it is what was wanted.
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
