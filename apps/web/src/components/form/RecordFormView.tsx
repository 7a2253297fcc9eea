import type { Change, Conflict } from '@gatehouse/record-merge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { DiffList } from '@gatehouse/ui/diff-list';
import { Icon } from '@gatehouse/ui/icon';
import { SaveBar } from '@gatehouse/ui/save-bar';
import { CircleDashed } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { FormProvider, type FieldValues } from 'react-hook-form';
import { isUnknownOutcome } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { byWhom } from '../conflict/author-words.ts';
import {
  acceptedChanges,
  conflictAt,
  conflictPaths,
  undecided,
  valueAt,
  type Author,
} from '../conflict/conflict-state.ts';
import { numberOf, type ConflictWords } from '../conflict/conflict-words.ts';
import { ConflictView } from '../conflict/ConflictView.tsx';
import { DeletedNotice } from '../conflict/DeletedNotice.tsx';
import { FieldMark } from '../conflict/FieldMark.tsx';
import { MergedSets } from '../conflict/MergedSets.tsx';
import { secretAt } from '../conflict/secret-twin.ts';
import { DirtyGuard } from './DirtyGuard.tsx';
import { changesBetween } from './field-changes.ts';
import { FormField } from './FormField.tsx';
import { entryAt, fieldAt, fieldFor, labelAt, type FieldSpec, type MapEditorProps } from './record-form.ts';
import { showValue } from './show-value.ts';
import { messageAt, type RecordForm } from './use-record-form.ts';

export interface RecordFormViewProps<Values extends FieldValues> {
  form: RecordForm<Values>;
  saveLabel: string;
  /** Leaves the form; the guard asks first if changes would be lost. */
  onCancel: () => void;
  /** Recreates a deleted record with the edit. */
  recreate?: { readonly note: string; readonly isPending: boolean; readonly run: () => void };
  /** The text to copy of a deleted record that holds secrets; by default, the values as JSON. */
  copyText?: () => string;
  /** The plain text of a masked value in a conflict, for records with secrets. */
  secretText?: ConflictWords['secretText'];
  /** Replaces "both changed it" for conflicts of which that isn't certain. */
  noteOf?: ConflictWords['noteOf'];
  /** A note on the comparison with a record that was created since. */
  createdNote?: string;
  /** Shown above the fields, to be read before editing. */
  notice?: ReactNode;
  /** Shown beside or below the fields, such as the equivalent code. */
  children?: ReactNode;
}

/** A form for a record: its fields, others' concurrent changes, and the explicit save. */
export function RecordFormView<Values extends FieldValues>({
  form,
  saveLabel,
  onCancel,
  recreate,
  copyText,
  secretText,
  noteOf,
  createdNote,
  notice,
  children,
}: RecordFormViewProps<Values>) {
  const { spec, methods, conflict, changes } = form;
  const isGone = conflict.kind === 'deleted';
  const open = undecided(conflict).length;
  const words: ConflictWords = {
    noun: spec.noun,
    labelOf: ({ path, fields, id }) =>
      fields === undefined
        ? labelAt(spec, path)
        : (spec.otherLabels?.[/~\{(.*)\}$/.exec(id)?.[1] ?? ''] ??
          fields.map((field) => labelAt(spec, [...path, field])).join(', ')),
    show: (path, value) => showValue(spec, path, value),
    ...(secretText !== undefined && { secretText }),
    ...(noteOf !== undefined && { noteOf }),
  };
  useShortcut({ keys: 'Mod+S', label: saveLabel, group: 'This form', run: form.save });
  useShortcut({ keys: 'Escape', label: 'Leave the form', group: 'This form', run: onCancel });

  const conflictOf = (field: FieldSpec<Values>): Conflict | undefined => conflictAt(conflict, field.path);
  const refusalOf = (item: Conflict): string | undefined => {
    const refused = conflictPaths(item).flatMap((path) => {
      const message = messageAt(methods.formState.errors, path);
      return message === undefined ? [] : [`${labelAt(spec, path.split('.'))}: ${message}`];
    });
    return refused.length === 0 ? undefined : `${refused.join(' ')} Choose Edit to enter a different value.`;
  };

  const markOfChange = (author: Author, change: Change): ReactNode => (
    <FieldMark change={change} by={byWhom(author)} before={showValue(spec, change.path, change.before)} />
  );
  const markOf = (field: FieldSpec<Values>): ReactNode => {
    const change = acceptedChanges(conflict).find(
      // A change of a secret by others is reported through its HMAC.
      ({ path }) => (secretAt(spec.policy, path) ?? path).join('.') === field.path,
    );
    return conflict.kind === 'changed' && change ? markOfChange(conflict, change) : undefined;
  };

  const entriesOf = (field: FieldSpec<Values>): Pick<MapEditorProps, 'markOf' | 'inConflict'> | undefined => {
    if (field.input.kind !== 'map' || conflict.kind !== 'changed') return undefined;
    const keyIn = (path: readonly string[]): string | undefined => {
      const entry = entryAt(spec, path);
      return entry?.field.path === field.path ? entry.key : undefined;
    };
    return {
      inConflict: new Set(conflict.result.conflicts.flatMap(({ path }) => keyIn(path) ?? [])),
      markOf: (key) => {
        const change = acceptedChanges(conflict).find(({ path }) => keyIn(path) === key);
        return change && markOfChange(conflict, change);
      },
    };
  };

  return (
    <FormProvider {...methods}>
      <form
        noValidate
        aria-label={`Fields of the ${spec.noun}`}
        onSubmit={(event) => {
          event.preventDefault();
          form.save();
        }}
        className="flex min-h-0 flex-1 flex-col"
      >
        {/* A field that gets the focus stays clear of the bar, with room for its error. In a low window nothing would be
            left between the two margins. */}
        <div className="min-h-0 flex-1 overflow-y-auto [@media(min-height:600px)]:scroll-py-18">
          <div className="mx-auto flex w-full max-w-300 flex-col gap-8 p-4 wide:flex-row wide:p-6">
            <div className="flex min-w-0 flex-1 flex-col gap-8 wide:max-w-180">
              {notice}
              {form.isBehind && conflict.kind === 'none' && (
                <Banner
                  tone="info"
                  title={`${numberOf(spec.noun).one} changed while you were editing`}
                  actions={
                    <Button size={28} onPress={form.catchUp}>
                      Merge the changes
                    </Button>
                  }
                >
                  Your edit is unchanged. Merge the changes now, or when you save.
                </Banner>
              )}
              {conflict.kind === 'changed' && (
                <ConflictView
                  state={conflict}
                  words={words}
                  onDecide={form.decide}
                  valueOf={(item) => valueAt(form.values, item)}
                  renderEditor={(path) => {
                    const field = fieldAt(spec, path);
                    const entry = entryAt(spec, path);
                    if (entry !== undefined) {
                      const value = valueAt(form.values, { path });
                      return (
                        <entry.input.EntryEditor
                          label={labelAt(spec, path)}
                          value={typeof value === 'string' ? value : undefined}
                          onChange={(text) => {
                            form.setField(path, text);
                          }}
                        />
                      );
                    }
                    return (
                      field && (
                        <FormField
                          field={fieldFor(field, form.values, form.stored.record)}
                          control={methods.control}
                          stored={valueAt(form.stored.record, { path })}
                        />
                      )
                    );
                  }}
                  stoppedSaves={form.stoppedSaves}
                  refusalOf={refusalOf}
                  sets={
                    <MergedSets
                      state={conflict}
                      values={form.values}
                      words={words}
                      onChange={form.setField}
                    />
                  }
                />
              )}
              {conflict.kind === 'deleted' && (
                <DeletedNotice
                  state={conflict}
                  noun={spec.noun}
                  isSecret={copyText !== undefined}
                  copyText={copyText?.() ?? JSON.stringify(form.values, null, 2)}
                  recreate={recreate}
                  onDiscard={onCancel}
                />
              )}
              {conflict.kind === 'created' && (
                <CreatedNotice form={form} stored={conflict.theirs} note={createdNote} />
              )}
              {spec.sections.map((section) => (
                <FormSectionView
                  key={section.title}
                  title={section.title}
                  description={
                    typeof section.description === 'function'
                      ? section.description(form.values)
                      : section.description
                  }
                >
                  {section.fields.map((field, index) => {
                    const own = conflictOf(field);
                    const isFirst = index === 0 && section === spec.sections[0];
                    return own ? (
                      <DecidedAbove key={field.path} field={field} form={form} conflict={own} />
                    ) : (
                      <FormField
                        key={field.path}
                        field={fieldFor(field, form.values, form.stored.record)}
                        control={methods.control}
                        autoFocus={isFirst}
                        stored={valueAt(form.stored.record, { path: field.path.split('.') })}
                        mark={
                          <>
                            {field.Below && <field.Below values={form.values} />}
                            {markOf(field)}
                          </>
                        }
                        entries={entriesOf(field)}
                      />
                    );
                  })}
                </FormSectionView>
              ))}
            </div>
            {children !== undefined && <aside className="min-w-0 flex-1 wide:max-w-110">{children}</aside>}
          </div>
        </div>
        {!isGone && (
          <SaveBar
            changes={changes}
            unsaved={form.unsaved}
            onUndo={form.undo}
            onDiscard={onCancel}
            onSave={form.save}
            saveLabel={saveLabel}
            isSaving={form.isSaving}
            error={saveProblem(form)}
          >
            {open > 0 && (
              <span className="flex items-center gap-1.5 text-warn">
                <Icon icon={CircleDashed} size={14} />
                {open} to decide
              </span>
            )}
          </SaveBar>
        )}
      </form>
      {/* Beside the form, because its dialog contains a form. */}
      <DirtyGuard wouldLose={form.wouldLose} count={form.unsaved} />
    </FormProvider>
  );
}

function FormSectionView({
  title,
  description,
  children,
}: {
  title: string;
  description: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div className="border-b border-line pb-1.5">
        <h2 id={id} className="text-heading font-semibold text-ink-1">
          {title}
        </h2>
        {description !== undefined && <p className="text-body text-ink-2">{description}</p>}
      </div>
      {children}
    </section>
  );
}

/** Replaces a field with a conflict, whose editor is in the decision above. */
function DecidedAbove<Values extends FieldValues>({
  field,
  form,
  conflict,
}: {
  field: FieldSpec<Values>;
  form: RecordForm<Values>;
  conflict: Conflict;
}) {
  const isDecided = form.conflict.kind === 'changed' && form.conflict.decisions.has(conflict.id);
  const path = field.path.split('.');
  const value = showValue(form.spec, path, valueAt(form.values, { path }));
  return (
    <div className="flex flex-col gap-1">
      <span className="text-body font-medium text-ink-1">{field.label}</span>
      <div className="flex min-h-8 items-center gap-2 rounded-control border border-dashed border-control-line px-2.5 py-1 text-input text-ink-2">
        {isDecided ? (
          <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">
            {value !== '' ? value : field.input.kind === 'secret' ? 'Stored value' : 'Not set'}
          </span>
        ) : (
          <>
            <Icon icon={CircleDashed} size={14} className="text-warn" />
            Decide above
          </>
        )}
      </div>
    </div>
  );
}

/** Someone else has created the same record: compares it, then uses it or overwrites it explicitly. */
function CreatedNotice<Values extends FieldValues>({
  form,
  stored,
  note,
}: {
  form: RecordForm<Values>;
  stored: Values;
  note: string | undefined;
}) {
  const { one, was } = numberOf(form.spec.noun);
  return (
    <Banner
      tone="warn"
      title={`${one} ${was} created while you were editing`}
      actions={
        <>
          <Button
            size={28}
            onPress={() => {
              form.settleCreated('theirs');
            }}
          >
            Keep the existing one
          </Button>
          <Button
            size={28}
            variant="danger"
            onPress={() => {
              form.settleCreated('mine');
            }}
          >
            Replace it with mine
          </Button>
        </>
      }
    >
      <DiffList
        label="Existing and yours"
        beforeLabel="Existing"
        afterLabel="Yours"
        changes={changesBetween(form.spec, stored, form.values)}
      />
      {note !== undefined && <p className="pt-2 text-meta text-ink-2">{note}</p>}
    </Banner>
  );
}

/** Why the save was refused, if it isn't about a field. */
function saveProblem<Values extends FieldValues>(form: RecordForm<Values>): ReactNode {
  const { failure, otherProblems, compare } = form;
  if (otherProblems.length > 0) {
    return (
      <Banner tone="danger" title="Invalid values">
        {otherProblems.join(' ')}
      </Banner>
    );
  }
  if (failure === undefined) return undefined;
  const { title, detail, mend, requestId } = wordsOf(failure);
  return (
    <Banner
      tone="danger"
      title={title}
      actions={
        isUnknownOutcome(failure) && compare ? (
          <Button size={28} onPress={compare}>
            Compare with the stored record
          </Button>
        ) : undefined
      }
    >
      {detail} {mend}{' '}
      {requestId !== undefined && <span className="font-mono text-meta">Request {requestId}</span>}
    </Banner>
  );
}
