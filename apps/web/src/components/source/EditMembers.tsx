import type { IconType } from '@gatehouse/ui/icon';
import { Link, LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import { isApiError } from '#lib/api-error.ts';
import { usePolling } from '#lib/polling.ts';
import { recordPoll, recordQuery, type RecordReads, type StoredRecord } from '#queries/records.ts';
import { Failure } from '../errors/Failure.tsx';
import type { CodeForms } from '../form/as-code.ts';
import { AsCode } from '../form/AsCode.tsx';
import type { RecordFormSpec } from '../form/record-form.ts';
import { RecordFormView } from '../form/RecordFormView.tsx';
import { useRecordForm } from '../form/use-record-form.ts';
import { useEnvironment } from '../layout/use-environment.ts';
import { usePageTitle } from '../layout/use-page-title.ts';
import { reasonAgainst } from '../record/record-kind.ts';

export interface EditMembersProps<Item extends StoredRecord, Values extends FieldValues> {
  kind: { readonly noun: string; readonly icon: IconType; readonly schema: z.ZodMiniType<Item> };
  calls: RecordReads<Item>;
  id: string;
  title: (item: Item) => string;
  /** What the person must be allowed to do. */
  action: 'set-hosts' | 'set-host-sources';
  ancestors: readonly { id: string; label: string; href: string }[];
  /** Where the record is shown. */
  hereHref: string;
  spec: RecordFormSpec<Values> | ((values: Values) => RecordFormSpec<Values>);
  /** What changes when another form is to be shown. */
  specKey?: (values: Values) => string;
  valuesOf: (item: Item) => Values;
  saveLabel: string;
  savedWords: (item: Item) => string;
  /** Writes over what is stored at a revision. It tells what it reached when it takes several writes. */
  write: (values: Values, stored: Values, revision: string, reached: (item: Item) => void) => Promise<Item>;
  /** The same without the console. */
  codeOf: (item: Item, values: Values) => CodeForms;
}

/** The page that changes sets of references of a record: guarded by its revision, merged with what others changed. */
export function EditMembers<Item extends StoredRecord, Values extends FieldValues>(
  props: EditMembersProps<Item, Values>,
) {
  const { kind, calls, id, action, ancestors, hereHref } = props;
  const environment = useEnvironment();
  const query = useQuery(recordQuery(calls, environment.id, id));
  const [first, setFirst] = useState<Item>();
  if (first === undefined && query.data !== undefined && !query.isStale) setFirst(query.data);
  const title = first === undefined ? `Change a ${kind.noun}` : props.title(first);
  usePageTitle(title);
  const cannotChange = first && reasonAgainst(first, action, kind.noun);
  return (
    <>
      <PageHeader icon={kind.icon} title={title} ancestors={ancestors} />
      {first && cannotChange === undefined && (
        <MembersForm key={first.id} {...props} first={first} latest={query.data ?? first} />
      )}
      {cannotChange !== undefined && (
        <div className="flex flex-col items-start gap-3 p-6 text-body text-ink-2">
          <p>{cannotChange}</p>
          <Link href={hereHref}>Go to the {kind.noun}</Link>
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
          action={<LinkButton href={hereHref}>Go to the {kind.noun}</LinkButton>}
        />
      )}
    </>
  );
}

function MembersForm<Item extends StoredRecord, Values extends FieldValues>({
  kind,
  calls,
  id,
  hereHref,
  spec,
  specKey = () => '',
  valuesOf,
  saveLabel,
  savedWords,
  write,
  first,
  latest,
  codeOf,
}: EditMembersProps<Item, Values> & { first: Item; latest: Item }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const specOf = (values: Values): RecordFormSpec<Values> =>
    typeof spec === 'function' ? spec(values) : spec;
  const [initial] = useState(() => valuesOf(first));
  const [shown, setShown] = useState(() => ({ key: specKey(initial), spec: specOf(initial) }));
  usePolling(recordPoll(calls, environment.id, id), 15);
  const storedOf = (item: Item) => ({
    record: valuesOf(item),
    revision: item.revision,
    changedBy: null,
    changedAt: item.updated_time,
  });
  // Where a save of several writes stopped half-way, the next one goes on from there.
  const [progress] = useState<{ from: string; item: Item | undefined }>(() => ({
    from: '',
    item: undefined,
  }));
  const leave = (): void => void navigate({ href: hereHref });
  const form = useRecordForm<Values>({
    spec: shown.spec,
    stored: storedOf(first),
    // What this save has written so far is no news of others.
    latest: progress.item === undefined ? storedOf(latest) : undefined,
    readRecord: (current) => {
      progress.item = undefined;
      return valuesOf(kind.schema.parse(current));
    },
    write: async (values, stored) => {
      const revision = stored.revision ?? '';
      const begun = progress.from === revision ? progress.item : undefined;
      const from = begun === undefined ? stored : storedOf(begun);
      const saved = await write(values, from.record, from.revision ?? '', (item) => {
        progress.from = revision;
        progress.item = item;
      });
      progress.item = undefined;
      toasts.ok({ title: savedWords(saved) });
      return storedOf(saved);
    },
    onSaved: leave,
    reread: async () => {
      try {
        const found = await queryClient.fetchQuery({
          ...recordQuery(calls, environment.id, id),
          staleTime: 0,
        });
        return storedOf(found);
      } catch (error) {
        if (isApiError(error, 'not-found')) return undefined;
        throw error;
      }
    },
  });
  const key = specKey(form.values);
  if (key !== shown.key) setShown({ key, spec: specOf(form.values) });
  return (
    <RecordFormView
      form={form}
      saveLabel={saveLabel}
      onCancel={() => {
        if (form.conflict.kind === 'deleted') form.release();
        leave();
      }}
    >
      <AsCode
        code={codeOf({ ...latest, revision: form.stored.revision ?? latest.revision }, form.values)}
        note="How to set the same without the console. Set BOUNDARY_ADDR and BOUNDARY_TOKEN to the address and to your token."
      />
    </RecordFormView>
  );
}
