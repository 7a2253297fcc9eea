import { toasts } from '@gatehouse/ui/toast';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { CodeForms } from '#components/form/as-code.ts';
import { AsCode } from '#components/form/AsCode.tsx';
import { partialUpdate } from '#components/form/partial-update.ts';
import type { RecordFormSpec } from '#components/form/record-form.ts';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { capital } from '#components/record/record-kind.ts';
import { isApiError } from '#lib/api-error.ts';
import type { Guard } from '#lib/api.ts';
import { wordsOf } from '#lib/error-words.ts';
import { Preview } from './Preview.tsx';

/** What every record of the registry has that can be edited. */
export interface Revised {
  readonly revision: string;
  readonly updated_time?: string;
}

export interface EditStoredProps<Item extends Revised, Fields extends FieldValues> {
  /** What the edit begins with. Later values are what others did. */
  item: Item;
  spec: RecordFormSpec<Fields>;
  /** The record as the server sends it in a conflict. */
  schema: z.ZodMiniType<Item>;
  fieldsOf: (item: Item) => Fields;
  nameOf: (item: Item) => string;
  /** Writes the changed fields. */
  update: (guard: Guard, changed: Partial<Fields>, values: Fields) => Promise<Item>;
  /** Reads the record anew; undefined where it is gone. */
  reread: () => Promise<Item | undefined>;
  /** Where the record is shown, by its name after the write. */
  hrefOf: (item: Item) => string;
  /** What follows a save; without it the record is shown. */
  onSaved?: (item: Item) => void;
  /** Where to go when it is gone. */
  goneHref: string;
  /** Takes a record that is gone out of what the page keeps. */
  forget: () => void;
  /** Makes a deleted record anew. */
  recreate?: { readonly note: string; readonly make: (fields: Fields) => Promise<Item> };
  codeOf?: (values: Fields, changed: Partial<Fields>) => CodeForms;
  /** The text in Markdown that is edited: shown as it will look. */
  markdownOf?: (values: Fields) => string;
  /**
   * Above the fields: what is to be known before anything is changed, of the record as it is now and as it was when the
   * edit began.
   */
  noticeOf?: (now: Item, first: Item) => ReactNode;
  /** More beside the fields. */
  children?: ReactNode;
}

/** The form over a record of the registry, guarded by its revision, with the conflict view. */
export function EditStored<Item extends Revised, Fields extends FieldValues>({
  item: latest,
  spec: wanted,
  schema,
  fieldsOf,
  nameOf,
  update,
  reread,
  hrefOf,
  onSaved,
  goneHref,
  forget,
  recreate,
  codeOf,
  markdownOf,
  noticeOf,
  children,
}: EditStoredProps<Item, Fields>) {
  const navigate = useNavigate();
  const [first] = useState(latest);
  const [spec] = useState(wanted);
  const saved = useRef(first);
  const [isRecreating, setRecreating] = useState(false);
  /** What a conflict told. */
  const [met, setMet] = useState<Item>();
  /** The registry keeps no name of who changed it. */
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
    latest: storedOf(latest),
    readRecord: (current) => {
      const item = schema.parse(current);
      setMet(item);
      return fieldsOf(item);
    },
    write: async (values, stored, guard) => {
      const changed = partialUpdate(spec.policy, stored.record, values);
      if (Object.keys(changed).length === 0) return stored;
      const written = await update(guard, changed, values);
      saved.current = written;
      toasts.ok({ title: `${capital(spec.noun)} ${nameOf(written)} saved` });
      return storedOf(written);
    },
    // A write may have given it another name.
    onSaved: () => {
      if (onSaved === undefined) go(hrefOf(saved.current));
      else onSaved(saved.current);
    },
    reread: async () => {
      try {
        const found = await reread();
        return found && storedOf(found);
      } catch (error) {
        if (isApiError(error, 'not-found')) return undefined;
        throw error;
      }
    },
  });
  const makeAnew = (make: (fields: Fields) => Promise<Item>): void => {
    setRecreating(true);
    make(form.values)
      .then(
        (made) => {
          toasts.ok({ title: `${capital(spec.noun)} ${nameOf(made)} recreated` });
          form.release();
          go(hrefOf(made), true);
        },
        (error: unknown) => {
          const { title, detail } = wordsOf(error);
          toasts.danger({ title: `Not recreated: ${title}`, detail });
        },
      )
      .finally(() => {
        setRecreating(false);
      });
  };
  return (
    <RecordFormView
      form={form}
      {...(noticeOf !== undefined && { notice: noticeOf(met ?? latest, first) })}
      saveLabel={`Save ${spec.noun}`}
      onCancel={() => {
        if (form.conflict.kind !== 'deleted') {
          go(hrefOf(saved.current));
          return;
        }
        form.release();
        forget();
        go(goneHref, true);
      }}
      {...(recreate !== undefined && {
        recreate: {
          note: recreate.note,
          isPending: isRecreating,
          run: () => {
            makeAnew(recreate.make);
          },
        },
      })}
    >
      {codeOf && (
        <AsCode
          code={codeOf(form.values, partialUpdate(spec.policy, form.stored.record, form.values))}
          note={
            form.changes.length === 0
              ? 'Change something, and this is how to do the same without the console.'
              : 'The same changes without the console. Set VAGRANT_CLOUD_TOKEN to a token of yours.'
          }
        />
      )}
      {markdownOf && <Preview text={markdownOf(form.values)} />}
      {children}
    </RecordFormView>
  );
}
