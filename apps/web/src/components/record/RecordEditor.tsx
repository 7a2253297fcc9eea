import type { RecordPolicy } from '@gatehouse/record-merge/policy';
import { lazy } from '@gatehouse/ui/lazy';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { wordsOf } from '#lib/error-words.ts';
import {
  forgetRecord,
  keepRecord,
  readRecord,
  useCreateRecord,
  useUpdateRecord,
} from '#queries/record-life.ts';
import type { Revised } from '#queries/records.ts';
import { recreated } from '../conflict/recreate-record.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { partialUpdate } from '../form/partial-update.ts';
import { filledIn } from '../form/record-form.ts';
import { RecordFormView } from '../form/RecordFormView.tsx';
import { useRecordForm } from '../form/use-record-form.ts';
import { capital, type EditCode, type RecordEdit, type RecordKind } from './record-kind.ts';
import { tell } from './tell.ts';
import { useSaveQuestion } from './use-save-question.tsx';

// Loaded after the fields.
const AsCode = lazy(async () => ({ default: (await import('../form/AsCode.tsx')).AsCode }));

export interface RecordEditorProps<Item extends Revised, Fields extends FieldValues, New, Changes, Address> {
  kind: RecordKind<Item, Fields, New, Changes, Address>;
  address: Address;
  /** The record that the edit begins with. Later values are others' changes. */
  item: Item;
  /** The page of a record of the kind, also after a write has renamed it. */
  hrefOf: (item: Item) => string;
  /** The destination if the record is gone. */
  goneHref: string;
  /** Fields that the user changed by other actions than the form. */
  own?: Partial<Fields> | undefined;
  /** Called after a save; by default, the record's page opens. */
  onSaved?: ((saved: Item) => void) | undefined;
}

/** The form of a record: the state of one edit, guarded by the revision that the user saw. */
export function RecordEditor<Item extends Revised, Fields extends FieldValues, New, Changes, Address>({
  kind,
  address,
  item: latest,
  hrefOf,
  goneHref,
  own,
  onSaved,
}: RecordEditorProps<Item, Fields, New, Changes, Address>) {
  const { calls, noun, nameOf, fieldsOf, formOf, formKey = () => '' } = kind;
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const update = useUpdateRecord<Item, Changes, Address>(calls, environment.id);
  const create = useCreateRecord<Item, New>(calls, environment.id, recreated);
  const [first] = useState(latest);
  const [initial] = useState(() => fieldsOf(first));
  const [shown, setShown] = useState(() => ({ key: formKey(initial), spec: formOf(first, initial) }));
  const { spec } = shown;
  // A write may have renamed it.
  const written = useRef(first);
  const { ask, question } = useSaveQuestion();
  /** The record from the last conflict. */
  const [met, setMet] = useState<Item>();
  // If a save of several writes stops midway, the next one continues from there.
  const [progress] = useState<{ from: string; item: Item | undefined }>(() => ({
    from: '',
    item: undefined,
  }));
  /** The services don't record who changed it. */
  const storedOf = (item: Item) => ({
    record: fieldsOf(item),
    revision: item.revision,
    changedBy: null,
    changedAt: item.updated_time ?? null,
  });
  const go = (href: string, replace = false): void => void navigate({ href, replace });
  const form = useRecordForm<Fields>({
    spec,
    stored: storedOf(first),
    // What this save has written so far doesn't count as someone else's change.
    latest: progress.item === undefined ? storedOf(latest) : undefined,
    own,
    readRecord: (current) => {
      const item = kind.schema.parse(current);
      progress.item = undefined;
      setMet(item);
      return fieldsOf(item);
    },
    mayWrite:
      kind.guardOf &&
      (async (values, stored) =>
        ask(await kind.guardOf?.({ item: latest, stored: stored.record, values }, environment.id))),
    write: async (values, stored, guard) => {
      const { revision } = guard;
      const begun = progress.from === revision ? progress.item : undefined;
      const from = begun === undefined ? stored : storedOf(begun);
      const changed = partialUpdate(spec.policy, from.record, values);
      if (Object.keys(changed).length === 0) {
        progress.item = undefined;
        return from;
      }
      const saved = await update.mutateAsync({
        address,
        guard: { ...guard, revision: from.revision ?? '' },
        changes: kind.bodyOf(changed, { item: begun ?? latest, stored: from.record, values }),
        reached: (item) => {
          progress.from = revision;
          progress.item = item;
        },
      });
      progress.item = undefined;
      written.current = saved;
      void tell('ok', { title: kind.savedWords?.(saved) ?? `${capital(noun)} ${nameOf(saved)} saved` });
      return storedOf(saved);
    },
    onSaved: () => {
      if (onSaved === undefined) go(hrefOf(written.current));
      else onSaved(written.current);
    },
    reread: async () => {
      const found = await readRecord(queryClient, calls, environment.id, address);
      return found && storedOf(found);
    },
  });
  const key = formKey(form.values);
  if (key !== shown.key) setShown({ key, spec: formOf(first, form.values) });

  const leaveGone = (href: string): void => {
    form.release();
    forgetRecord(queryClient, calls, environment.id, address);
    go(href, true);
  };
  const recreate = (): void => {
    if (kind.anewHref !== undefined) {
      leaveGone(kind.anewHref(environment.id));
      return;
    }
    const body = kind.anewOf?.(form.values, first) ?? null;
    if (body === null) {
      void tell('warn', { title: 'Not recreated', detail: kind.cannotAnew ?? secretIsGone });
      return;
    }
    create.mutateAsync(body).then(
      (made) => {
        void tell('ok', {
          title: `${capital(noun)} ${nameOf(made)} recreated`,
          ...(made.id !== undefined && { detail: `Its new ID is ${made.id}.` }),
        });
        leaveGone(hrefOf(made));
        // Cached last, because the deleted record may have had the same name.
        keepRecord(queryClient, calls, environment.id, made);
      },
      (error: unknown) => {
        const { title, detail, requestId } = wordsOf(error);
        void tell('danger', {
          title: `Not recreated: ${title}`,
          detail,
          ...(requestId !== undefined && { requestId }),
        });
      },
    );
  };

  const { revision } = form.stored;
  const editOf = (values: Fields): RecordEdit<Item, Fields> => ({
    item: revision === null ? latest : { ...latest, revision },
    stored: form.stored.record,
    values,
  });
  const code = kind.code && (
    <EditAsCode
      kind={kind}
      code={kind.code}
      policy={spec.policy}
      edit={editOf(filledIn(spec, form.values, form.stored.record))}
      hasChanges={form.changes.length > 0}
    />
  );
  return (
    <>
      <RecordFormView
        form={form}
        saveLabel={kind.saveLabel ?? `Save ${noun}`}
        {...(kind.noticeOf !== undefined && { notice: kind.noticeOf(met ?? latest, first) })}
        onCancel={() => {
          if (form.conflict.kind === 'deleted') leaveGone(goneHref);
          else go(hrefOf(written.current));
        }}
        {...((kind.anewOf !== undefined || kind.anewHref !== undefined) && {
          recreate: {
            note: kind.anewNote ?? `The new ${noun} has a new ID. References to the old ID aren't updated.`,
            isPending: create.isPending,
            run: recreate,
          },
        })}
      >
        {kind.asideOf === undefined ? code : kind.asideOf(editOf(form.values), code)}
      </RecordFormView>
      {question}
    </>
  );
}

const secretIsGone =
  'The stored secret was deleted with the record. Enter the secret again, then recreate the record.';

function EditAsCode<Item, Fields extends FieldValues, Changes>({
  kind: { bodyOf },
  code: { of, note },
  policy,
  edit,
  hasChanges,
}: {
  kind: { readonly bodyOf: (changed: Partial<Fields>, edit: RecordEdit<Item, Fields>) => Changes };
  code: EditCode<Item, Fields, Changes>;
  policy: RecordPolicy;
  edit: RecordEdit<Item, Fields>;
  hasChanges: boolean;
}) {
  const code = of(bodyOf(partialUpdate(policy, edit.stored, edit.values), edit), edit);
  return (
    <Suspense fallback={null}>
      <AsCode code={code} note={note(hasChanges, code)} />
    </Suspense>
  );
}
