import { toasts } from '@gatehouse/ui/toast';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { CodeForms } from '#components/form/as-code.ts';
import { AsCode } from '#components/form/AsCode.tsx';
import type { RecordFormSpec } from '#components/form/record-form.ts';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { capital } from '#components/record/record-kind.ts';
import type { Guard } from '#lib/api.ts';
import type { Revised } from './EditStored.tsx';
import { Preview } from './Preview.tsx';

export interface NewStoredProps<Item extends Revised, Values extends FieldValues> {
  spec: RecordFormSpec<Values>;
  blank: Values;
  /** The record as the server sends it where the name is taken. */
  schema: z.ZodMiniType<Item>;
  /** What the form would hold of a record that is there already. */
  valuesOf: (item: Item) => Values;
  nameOf: (item: Item) => string;
  create: (values: Values) => Promise<Item>;
  /** Writes over a record that was created meanwhile, after the person compared the two. */
  replace: (guard: Guard, values: Values) => Promise<Item>;
  hrefOf: (item: Item) => string;
  cancelHref: string;
  codeOf: (values: Values) => CodeForms;
  /** The text in Markdown that is written: shown as it will look. */
  markdownOf?: (values: Values) => string;
}

/** The form that creates a record of the registry. A name that is taken is compared with what is there, not an error. */
export function NewStored<Item extends Revised, Values extends FieldValues>({
  spec,
  blank,
  schema,
  valuesOf,
  nameOf,
  create,
  replace,
  hrefOf,
  cancelHref,
  codeOf,
  markdownOf,
}: NewStoredProps<Item, Values>) {
  const navigate = useNavigate();
  const [initial] = useState(blank);
  const made = useRef<Item>(undefined);
  const form = useRecordForm<Values>({
    spec,
    stored: { record: initial, revision: null },
    readRecord: (current) => {
      const there = schema.parse(current);
      made.current = there;
      return valuesOf(there);
    },
    write: async (values, stored, guard) => {
      const written = stored.revision === null ? await create(values) : await replace(guard, values);
      made.current = written;
      const verb = stored.revision === null ? 'created' : 'saved';
      toasts.ok({ title: `${capital(spec.noun)} ${nameOf(written)} ${verb}` });
      return { record: values, revision: written.revision };
    },
    onSaved: () => {
      if (made.current !== undefined) void navigate({ href: hrefOf(made.current), replace: true });
    },
  });
  return (
    <RecordFormView
      form={form}
      saveLabel={`Create ${spec.noun}`}
      onCancel={() => void navigate({ href: cancelHref })}
    >
      <AsCode
        code={codeOf(form.values)}
        note="The same without the console. Set VAGRANT_CLOUD_TOKEN to a token of yours."
      />
      {markdownOf && <Preview text={markdownOf(form.values)} />}
    </RecordFormView>
  );
}
