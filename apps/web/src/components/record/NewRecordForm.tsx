import { lazy } from '@gatehouse/ui/lazy';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useRef, useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Guard } from '#lib/api.ts';
import { useCreateRecord } from '#queries/record-life.ts';
import type { LifeCalls, Revised } from '#queries/records.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import type { NewCode } from '../form/as-code.ts';
import type { RecordFormSpec } from '../form/record-form.ts';
import { RecordFormView } from '../form/RecordFormView.tsx';
import { useRecordForm } from '../form/use-record-form.ts';
import { capital } from './record-kind.ts';
import type { SaveGuard } from './SaveQuestion.tsx';
import { tell } from './tell.ts';
import { useSaveQuestion } from './use-save-question.tsx';

// Loaded after the fields, and only for some forms.
const AsCode = lazy(async () => ({ default: (await import('../form/AsCode.tsx')).AsCode }));

export interface NewRecordFormProps<Item extends Revised, Values extends FieldValues, New> {
  kind: {
    readonly calls: LifeCalls<Item, New, never, never>;
    /** `host set` */
    readonly noun: string;
    readonly nameOf: (item: Item) => string;
  };
  blank: Values;
  /** The form, which may depend on values such as a type. */
  formOf: (values: Values) => RecordFormSpec<Values>;
  /** Changes when another form is to be shown. */
  formKey?: (values: Values) => string;
  bodyOf: (values: Values) => New;
  /** Harm to confirm before creating the record; undefined for none. */
  guardOf?: (values: Values) => SaveGuard | undefined;
  hrefOf: (item: Item) => string;
  cancelHref: string;
  /** The equivalent code of the service's clients. */
  codeOf?: (values: Values) => NewCode;
  /** Shown beside the fields, around the equivalent code; by default only that code. */
  asideOf?: (values: Values, code: ReactNode) => ReactNode;
  /** For names that may be taken: the existing record is compared, and can be overwritten explicitly. */
  taken?: {
    /** Schema of the record from the server. */
    readonly schema: z.ZodMiniType<Item>;
    /** The form's values of a record. */
    readonly valuesOf: (item: Item) => Values;
    readonly replace: (guard: Guard, values: Values) => Promise<Item>;
  };
  /** `Create host set` by default. */
  saveLabel?: string;
  /** `Host set primaries created` by default. */
  madeWords?: (made: Item) => string;
  /** Shown after creation until the user leaves; by default the record's page opens. */
  onceMade?: (made: Item, leave: () => void) => ReactNode;
}

/** The form that creates a record. */
export function NewRecordForm<Item extends Revised, Values extends FieldValues, New>({
  kind: { calls, noun, nameOf },
  blank,
  formOf,
  formKey = () => '',
  bodyOf,
  guardOf,
  hrefOf,
  cancelHref,
  codeOf,
  asideOf,
  taken,
  saveLabel = `Create ${noun}`,
  madeWords = (made) => `${capital(noun)} ${nameOf(made)} created`,
  onceMade,
}: NewRecordFormProps<Item, Values, New>) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const create = useCreateRecord<Item, New>(calls, environment.id);
  const made = useRef<Item>(undefined);
  const { ask, question } = useSaveQuestion();
  const [shownOnce, setShownOnce] = useState<Item>();
  const [initial] = useState(blank);
  const [shown, setShown] = useState(() => ({ key: formKey(initial), spec: formOf(initial) }));
  const form = useRecordForm<Values>({
    spec: shown.spec,
    stored: { record: initial, revision: null },
    readRecord: (current) => {
      // A service that checks names itself never returns the existing record.
      if (taken === undefined) return initial;
      const there = taken.schema.parse(current);
      made.current = there;
      return taken.valuesOf(there);
    },
    mayWrite: guardOf && (async (values) => ask(guardOf(values))),
    write: async (values, stored, guard) => {
      const isNew = stored.revision === null || taken === undefined;
      const written = isNew ? await create.mutateAsync(bodyOf(values)) : await taken.replace(guard, values);
      made.current = written;
      if (onceMade === undefined)
        void tell('ok', {
          title: isNew ? madeWords(written) : `${capital(noun)} ${nameOf(written)} saved`,
        });
      return { record: values, revision: taken === undefined ? null : written.revision };
    },
    onSaved: () => {
      if (made.current === undefined) return;
      if (onceMade === undefined) void navigate({ href: hrefOf(made.current), replace: true });
      else setShownOnce(made.current);
    },
  });
  // The fields may depend on the values.
  const key = formKey(form.values);
  if (key !== shown.key) setShown({ key, spec: formOf(form.values) });
  const code = codeOf?.(form.values);
  const asCode = code && (
    <Suspense fallback={null}>
      <AsCode code={code.forms} note={`The same ${noun} on the command line. ${code.setUp}`} />
    </Suspense>
  );
  return (
    <>
      <RecordFormView form={form} saveLabel={saveLabel} onCancel={() => void navigate({ href: cancelHref })}>
        {asideOf === undefined ? asCode : asideOf(form.values, asCode)}
      </RecordFormView>
      {question}
      {shownOnce !== undefined &&
        onceMade?.(shownOnce, () => void navigate({ href: hrefOf(shownOnce), replace: true }))}
    </>
  );
}
