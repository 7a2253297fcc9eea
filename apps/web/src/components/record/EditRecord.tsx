import { buttonClass } from '@gatehouse/ui/button';
import { Link } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { usePolling } from '#lib/polling.ts';
import {
  forgetRecord,
  recordPoll,
  recordQuery,
  useCreateRecord,
  useUpdateRecord,
  type StoredRecord,
} from '#queries/records.ts';
import { recreated } from '../conflict/recreate-record.ts';
import { Failure } from '../errors/Failure.tsx';
import type { CodeForms } from '../form/as-code.ts';
import { AsCode } from '../form/AsCode.tsx';
import { partialUpdate } from '../form/partial-update.ts';
import { filledIn } from '../form/record-form.ts';
import { RecordFormView } from '../form/RecordFormView.tsx';
import { useRecordForm } from '../form/use-record-form.ts';
import { useEnvironment } from '../layout/use-environment.ts';
import { usePageTitle } from '../layout/use-page-title.ts';
import { codeFieldsOf, updateAsCode } from './record-as-code.ts';
import { capital, reasonAgainst, type RecordKind } from './record-kind.ts';

export interface EditRecordProps<Item extends StoredRecord, Fields extends FieldValues, New, Changes> {
  kind: RecordKind<Item, Fields, New, Changes>;
  id: string;
  /** `Edit` and its name unless given. */
  title?: (name: string) => string;
  ancestors: readonly { id: string; label: string; href: string }[];
  /** Where a record of the kind is shown. */
  hrefOf: (id: string) => string;
  /** Where to go when the record is gone. */
  listHref: string;
}

/** The page that edits one record: its form, guarded by the revision, with the conflict view. */
export function EditRecord<Item extends StoredRecord, Fields extends FieldValues, New, Changes>(
  props: EditRecordProps<Item, Fields, New, Changes>,
) {
  const { kind, id, title: titleOf = editTitle, ancestors, hrefOf, listHref } = props;
  const environment = useEnvironment();
  const query = useQuery(recordQuery(kind.calls, environment.id, id));
  // The edit begins with the first record that is loaded; what comes later is what others did.
  const [first, setFirst] = useState<Item>();
  if (first === undefined && query.data !== undefined && !query.isStale) setFirst(query.data);
  const title = titleOf(first === undefined ? kind.noun : kind.nameOf(first));
  usePageTitle(title);
  const cannotEdit = first === undefined ? undefined : reasonAgainst(first, 'update', kind.noun);
  return (
    <>
      <PageHeader icon={PencilLine} title={title} ancestors={ancestors} />
      {first && cannotEdit === undefined && (
        <EditForm key={first.id} {...props} first={first} latest={query.data ?? first} />
      )}
      {cannotEdit !== undefined && (
        <div className="flex flex-col items-start gap-3 p-6 text-body text-ink-2">
          <p>{cannotEdit}</p>
          <Link href={hrefOf(id)}>Go to the {kind.noun}</Link>
        </div>
      )}
      {!first && !query.isError && (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label={`Loading the ${kind.noun}`} lines={8} />
        </div>
      )}
      {!first && query.isError && (
        <Failure
          error={query.error}
          onRetry={() => void query.refetch()}
          action={
            <a href={listHref} className={buttonClass()}>
              Go to the list
            </a>
          }
        />
      )}
    </>
  );
}

function editTitle(name: string): string {
  return `Edit ${name}`;
}

function EditForm<Item extends StoredRecord, Fields extends FieldValues, New, Changes>({
  kind,
  id,
  hrefOf,
  listHref,
  first,
  latest,
}: EditRecordProps<Item, Fields, New, Changes> & { first: Item; latest: Item }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const update = useUpdateRecord<Item, Changes>(kind.calls, environment.id, id);
  const create = useCreateRecord<Item, New>(kind.calls, environment.id, recreated);
  const spec = useMemo(() => kind.formOf(first), [kind, first]);
  usePolling(recordPoll(kind.calls, environment.id, id), 15);
  /** The controller keeps no name of who changed it. */
  const storedOf = (item: Item) => ({
    record: kind.fieldsOf(item),
    revision: item.revision,
    changedBy: null,
    changedAt: item.updated_time,
  });
  const go = (href: string, replace = false): void => void navigate({ href, replace });
  const form = useRecordForm<Fields>({
    spec,
    stored: storedOf(first),
    latest: storedOf(latest),
    readRecord: (current) => kind.fieldsOf(kind.schema.parse(current)),
    write: async (values, stored, guard) => {
      const changed = partialUpdate(spec.policy, stored.record, values);
      if (Object.keys(changed).length === 0) return stored;
      const saved = await update.mutateAsync({
        ...guard,
        changes: kind.bodyOf(changed, values),
      });
      toasts.ok({ title: `${capital(kind.noun)} ${kind.nameOf(saved)} saved` });
      return storedOf(saved);
    },
    onSaved: () => {
      go(hrefOf(id));
    },
    reread: async () => {
      try {
        const found = await queryClient.fetchQuery({
          ...recordQuery(kind.calls, environment.id, id),
          staleTime: 0,
        });
        return storedOf(found);
      } catch (error) {
        if (isApiError(error, 'not-found')) return undefined;
        throw error;
      }
    },
  });
  const recreate = (): void => {
    const body = kind.anewOf(form.values, first);
    if (body === null) {
      toasts.warn({
        title: 'Not recreated',
        detail: 'Enter the secret again first: what was stored is gone with the record.',
      });
      return;
    }
    create.mutateAsync(body).then(
      (made) => {
        forgetRecord(queryClient, kind.calls, environment.id, id);
        toasts.ok({
          title: `${capital(kind.noun)} ${kind.nameOf(made)} recreated`,
          detail: `Its id is ${made.id} now.`,
        });
        form.release();
        go(hrefOf(made.id), true);
      },
      (error: unknown) => {
        const { title, detail } = wordsOf(error);
        toasts.danger({ title: `Not recreated: ${title}`, detail });
      },
    );
  };
  const isGone = form.conflict.kind === 'deleted';
  const told = filledIn(spec, form.values, form.stored.record);
  const code = codeOf(kind, latest, form.stored, told, partialUpdate(spec.policy, form.stored.record, told));
  const readsSecrets = /(?:env|file):\/\//.test(code.cli ?? '');
  return (
    <RecordFormView
      form={form}
      saveLabel={`Save ${kind.noun}`}
      onCancel={() => {
        if (!isGone) {
          go(hrefOf(id));
          return;
        }
        form.release();
        forgetRecord(queryClient, kind.calls, environment.id, id);
        go(listHref, true);
      }}
      recreate={{
        note: `A ${kind.noun} made anew has another id, and what used the old one does not use it.`,
        isPending: create.isPending,
        run: recreate,
      }}
    >
      <AsCode
        code={code}
        note={
          form.changes.length === 0
            ? 'Change something, and this is how to do the same without the console.'
            : `The same changes without the console. Set BOUNDARY_ADDR and BOUNDARY_TOKEN to the address and to your token.${readsSecrets ? ' Put each secret where env:// or file:// says.' : ''}`
        }
      />
    </RecordFormView>
  );
}

function codeOf<Item extends StoredRecord, Fields extends FieldValues, New, Changes>(
  { codeOf: ofItem, bodyOf }: RecordKind<Item, Fields, New, Changes>,
  item: Item,
  { revision }: { readonly revision: string | null },
  values: Fields,
  changed: Partial<Fields>,
): CodeForms {
  const { names, place } = ofItem(item);
  return updateAsCode(
    names,
    { id: item.id, revision: revision ?? item.revision },
    codeFieldsOf(bodyOf(changed, values), names.maps),
    { place, ...codeFieldsOf(values, names.maps) },
  );
}
