import { Checkbox } from '@gatehouse/ui/checkbox';
import { Field, type FieldProps } from '@gatehouse/ui/field';
import { lazy } from '@gatehouse/ui/lazy';
import { NumberField } from '@gatehouse/ui/number-field';
import { PasswordField } from '@gatehouse/ui/password-field';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { TextArea } from '@gatehouse/ui/text-area';
import { TextField } from '@gatehouse/ui/text-field';
import { Suspense, useRef, useState, type ReactNode } from 'react';
import { get, useController, type Control, type FieldValues } from 'react-hook-form';
import { afterPress } from '#lib/after-press.ts';
import type { FieldSpec, MapEditorProps, MapEntries } from './record-form.ts';

// Loaded on demand, because few forms have them.
const ComboBox = lazy(async () => ({ default: (await import('@gatehouse/ui/combo-box')).ComboBox }));
const FilterField = lazy(async () => ({ default: (await import('./FilterField.tsx')).FilterField }));
const DurationField = lazy(async () => ({ default: (await import('./DurationField.tsx')).DurationField }));
const ListField = lazy(async () => ({ default: (await import('@gatehouse/ui/list-field')).ListField }));
const MembersField = lazy(async () => ({ default: (await import('./MembersField.tsx')).MembersField }));

export interface FormFieldProps<Values extends FieldValues> {
  field: FieldSpec<Values>;
  control: Control<Values>;
  autoFocus?: boolean;
  /** The stored value: a set's members are shown as added or removed relative to it. */
  stored?: unknown;
  /** The mark of a merge. */
  mark?: ReactNode;
  /** For a field with entries: the merge's mark of each. */
  entries?: Pick<MapEditorProps, 'markOf' | 'inConflict'>;
}

const noConflict: ReadonlySet<string> = new Set();

/**
 * The control of a declared field, bound to the form. Validated when left after an edit, then on each change.
 */
export function FormField<Values extends FieldValues>({
  field,
  control,
  autoFocus = false,
  stored,
  mark,
  entries,
}: FormFieldProps<Values>) {
  const { field: bound, fieldState } = useController({ name: field.path, control });
  const value: unknown = bound.value;
  const wasEdited = useRef(false);
  const change = (entered: unknown): void => {
    wasEdited.current = true;
    bound.onChange(entered);
  };
  // A field that is only passed shows no error yet. An error could also move the element that is being
  // pressed.
  const blur = (): void => {
    if (wasEdited.current) afterPress(bound.onBlur);
  };
  const shared = {
    label: field.label,
    name: bound.name,
    onBlur: blur,
    error: fieldState.error?.message,
    ...(field.description !== undefined && { description: field.description }),
    ...(field.help !== undefined && { help: field.help }),
    ...(field.isRequired === true && { isRequired: true }),
    disabledReason: field.disabledReason,
  };
  const { input } = field;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {drawControl()}
      {mark}
    </div>
  );

  function drawControl(): ReactNode {
    switch (input.kind) {
      case 'text':
        return (
          <TextField
            {...shared}
            value={textOf(value)}
            onChange={change}
            inputRef={bound.ref}
            isMono={input.isMono ?? false}
            autoComplete="off"
            autoFocus={autoFocus}
            spellCheck={input.isMono === true ? 'false' : 'true'}
            {...(input.placeholder !== undefined && { placeholder: input.placeholder })}
          />
        );
      case 'multiline':
        return (
          <TextArea
            {...shared}
            value={textOf(value)}
            onChange={change}
            inputRef={bound.ref}
            isMono={input.isMono ?? false}
            rows={input.rows ?? 3}
            spellCheck={input.isMono === true ? 'false' : 'true'}
          />
        );
      case 'number':
        return (
          <NumberField
            {...shared}
            value={typeof value === 'number' ? value : null}
            onChange={change}
            inputRef={bound.ref}
            {...(input.min !== undefined && { min: input.min })}
            {...(input.max !== undefined && { max: input.max })}
            {...(input.step !== undefined && { step: input.step })}
            {...(input.unit !== undefined && {
              suffix: <span className="pe-1.5 text-body">{input.unit}</span>,
            })}
            {...(input.placeholder !== undefined && { placeholder: input.placeholder })}
          />
        );
      case 'check':
        return (
          <Checkbox
            isSelected={value === true}
            onChange={change}
            onBlur={blur}
            inputRef={bound.ref}
            name={bound.name}
            error={fieldState.error?.message}
            disabledReason={field.disabledReason}
            {...(field.description !== undefined && { description: field.description })}
          >
            {field.label}
          </Checkbox>
        );
      case 'secret':
        return (
          <PasswordField
            {...shared}
            value={textOf(value)}
            onChange={change}
            inputRef={bound.ref}
            autoComplete="off"
          />
        );
      case 'duration':
        return (
          <Suspense fallback={<Outline field={shared} control="mb-5 h-8" />}>
            <DurationField
              {...shared}
              none={input.none}
              value={textOf(value)}
              onChange={change}
              inputRef={bound.ref}
            />
          </Suspense>
        );
      case 'choice':
        return (
          <RadioGroup
            {...shared}
            look="card"
            direction="row"
            value={value === '' || value === null || value === undefined ? null : textOf(value)}
            onChange={change}
            options={input.options}
          />
        );
      case 'filter':
        return (
          <Suspense fallback={<Outline field={shared} control="h-8" />}>
            <Late>
              {(mayFocus) => (
                <FilterField
                  {...shared}
                  input={input}
                  value={textOf(value)}
                  onChange={change}
                  inputRef={bound.ref}
                  autoFocus={autoFocus && mayFocus}
                />
              )}
            </Late>
          </Suspense>
        );
      case 'members':
        return (
          <Suspense fallback={<Outline field={shared} control="h-24" />}>
            <MembersField
              {...shared}
              input={input}
              value={textsOf(value)}
              stored={textsOf(stored)}
              onChange={change}
              inputRef={bound.ref}
            />
          </Suspense>
        );
      case 'list':
        return (
          <Suspense fallback={<Outline field={shared} control="h-8" />}>
            <ListField
              {...shared}
              noun={input.noun}
              isMono
              value={textsOf(value)}
              onChange={change}
              inputRef={(input) => {
                bound.ref(input && firstInvalid(input));
              }}
              errorAt={(index) => messageOf(fieldState.error, index)}
              {...(input.placeholder !== undefined && { placeholder: input.placeholder })}
            />
          </Suspense>
        );
      case 'editor':
        return (
          <Suspense fallback={<div className="h-40" />}>
            <div onBlur={blur}>
              <input.Editor
                label={field.label}
                {...(field.isRequired === true && { isRequired: true })}
                value={textOf(value)}
                onChange={change}
                isInvalid={fieldState.invalid}
                {...(fieldState.error?.message !== undefined && { errorMessage: fieldState.error.message })}
              />
            </div>
          </Suspense>
        );
      case 'map':
        return (
          <Suspense fallback={<div className="h-40" />}>
            <input.Editor
              label={field.label}
              value={entriesOf(value)}
              stored={entriesOf(stored)}
              onChange={change}
              onBlur={blur}
              error={fieldState.error?.message}
              markOf={entries?.markOf ?? (() => undefined)}
              inConflict={entries?.inConflict ?? noConflict}
            />
          </Suspense>
        );
      case 'search':
        return (
          <Suspense fallback={<Outline field={shared} control="h-8" />}>
            <Late>
              {(mayFocus) => (
                <ComboBox
                  {...shared}
                  value={value === '' || value === null || value === undefined ? null : textOf(value)}
                  onChange={(chosen) => {
                    change(chosen ?? '');
                  }}
                  inputRef={bound.ref}
                  autoFocus={autoFocus && mayFocus}
                  options={input.options.map((option) => ({
                    id: option.value,
                    label: option.label,
                    ...(option.description !== undefined && { detail: option.description }),
                    ...(option.disabledReason !== undefined && { disabledReason: option.disabledReason }),
                  }))}
                  {...(input.emptyText !== undefined && { emptyText: input.emptyText })}
                />
              )}
            </Late>
          </Suspense>
        );
    }
  }
}

/** The room of a control that is still loading: what is below it would move under the pointer otherwise. */
function Outline({ field, control }: { field: FieldProps; control: string }) {
  return (
    <Field {...field} isGroup>
      {() => (
        <div aria-hidden className={`rounded-control border border-control-line bg-raised ${control}`} />
      )}
    </Field>
  );
}

/** A control that is loaded first. If the user is in another field by then, that keeps the focus. */
function Late({ children }: { children: (mayFocus: boolean) => ReactNode }) {
  const [mayFocus] = useState(() => !document.activeElement?.closest('form, [role="dialog"]'));
  return children(mayFocus);
}

/** Focuses the first invalid entry of a list. */
function firstInvalid(first: HTMLInputElement): { focus: () => void } {
  return {
    focus: () => {
      const invalid = first.closest('[role="group"]')?.querySelector<HTMLElement>('[aria-invalid="true"]');
      (invalid ?? first).focus();
    },
  };
}

/** The error of a list's entry, from the form library. */
function messageOf(errors: unknown, index: number): string | undefined {
  const error: unknown = get({ entries: errors }, `entries.${String(index)}`);
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  return typeof error.message === 'string' ? error.message : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function entriesOf(value: unknown): MapEntries {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
