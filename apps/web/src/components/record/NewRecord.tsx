import { PageHeader } from '@gatehouse/ui/page-header';
import { toasts } from '@gatehouse/ui/toast';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useCreateRecord, type RecordCalls, type StoredRecord } from '#queries/records.ts';
import type { CodeForms } from '../form/as-code.ts';
import { AsCode } from '../form/AsCode.tsx';
import type { RecordFormSpec } from '../form/record-form.ts';
import { RecordFormView } from '../form/RecordFormView.tsx';
import { useRecordForm } from '../form/use-record-form.ts';
import { useEnvironment } from '../layout/use-environment.ts';
import { usePageTitle } from '../layout/use-page-title.ts';
import { codeFieldsOf, createAsCode, type CodeNames } from './record-as-code.ts';
import { capital, nameOrId } from './record-kind.ts';

export interface NewRecordProps<
  Item extends StoredRecord & { name: string },
  Values extends FieldValues,
  New,
> {
  noun: string;
  calls: RecordCalls<Item, New, never>;
  ancestors: readonly { id: string; label: string; href: string }[];
  blank: Values;
  /** The form, which may depend on what is entered: on a type. */
  formOf: (values: Values) => RecordFormSpec<Values>;
  /** What changes when another form is to be shown. */
  formKey?: (values: Values) => string;
  bodyOf: (values: Values) => New;
  hrefOf: (id: string) => string;
  cancelHref: string;
  /** What the clients of the controller call it, and what holds it. */
  codeOf: (values: Values) => {
    readonly names: CodeNames;
    readonly place: Readonly<Record<string, string>>;
    readonly values: unknown;
  };
}

/** The page that creates a record. */
export function NewRecord<Item extends StoredRecord & { name: string }, Values extends FieldValues, New>({
  noun,
  calls,
  ancestors,
  blank,
  formOf,
  formKey = () => '',
  bodyOf,
  hrefOf,
  cancelHref,
  codeOf,
}: NewRecordProps<Item, Values, New>) {
  const title = `New ${noun}`;
  usePageTitle(title);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const create = useCreateRecord(calls, environment.id);
  const madeId = useRef('');
  const [initial] = useState(blank);
  const [shown, setShown] = useState(() => ({ key: formKey(initial), spec: formOf(initial) }));
  const form = useRecordForm<Values>({
    spec: shown.spec,
    stored: { record: initial, revision: null },
    // Creating is never answered with a record that is there: the names of the controller are its own to check.
    readRecord: () => initial,
    write: async (values, stored) => {
      const made = await create.mutateAsync(bodyOf(values));
      madeId.current = made.id;
      toasts.ok({ title: `${capital(noun)} ${nameOrId(made)} created` });
      return { ...stored, record: values };
    },
    onSaved: () => void navigate({ href: hrefOf(madeId.current), replace: true }),
  });
  // What is asked for may depend on what is entered.
  const key = formKey(form.values);
  if (key !== shown.key) setShown({ key, spec: formOf(form.values) });
  return (
    <>
      <PageHeader icon={Plus} title={title} ancestors={ancestors} />
      <RecordFormView
        form={form}
        saveLabel={`Create ${noun}`}
        onCancel={() => void navigate({ href: cancelHref })}
      >
        <AsCode
          code={newAsCode(codeOf(form.values))}
          note="The same without the console. Set BOUNDARY_ADDR and BOUNDARY_TOKEN to the address and to your token."
        />
      </RecordFormView>
    </>
  );
}

function newAsCode({
  names,
  place,
  values,
}: {
  names: CodeNames;
  place: Readonly<Record<string, string>>;
  values: unknown;
}): CodeForms {
  return createAsCode(names, { place, ...codeFieldsOf(values, names.maps) });
}
