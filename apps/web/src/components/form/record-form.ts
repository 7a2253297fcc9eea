/** What a screen declares about an editable resource; all else is derived. */
import type { RecordPolicy } from '@gatehouse/record-merge/policy';
import type { ComponentType, ReactNode } from 'react';
import { set, type FieldPath, type FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import { valueAtPath } from '../conflict/conflict-state.ts';
import type { FilterFieldName } from '../filter/filter-completion.ts';

export type FieldInput =
  | { readonly kind: 'text'; readonly isMono?: boolean; readonly placeholder?: string }
  | { readonly kind: 'multiline'; readonly isMono?: boolean; readonly rows?: number }
  | {
      readonly kind: 'number';
      readonly min?: number;
      readonly max?: number;
      readonly step?: number;
      readonly unit?: string;
      readonly placeholder?: string;
    }
  | { readonly kind: 'check' }
  | { readonly kind: 'secret' }
  /** A duration as text, `36h` or `0s`, shown in words below; `none` is the meaning of zero. */
  | { readonly kind: 'duration'; readonly none: string }
  | { readonly kind: 'choice'; readonly options: readonly Choice[] }
  /** One of many, found by typing. */
  | { readonly kind: 'search'; readonly options: readonly Choice[]; readonly emptyText?: string }
  /** A set of IDs: its members, and a search for more. */
  | MembersInput
  /** A list of texts, one per row. */
  | ListInput
  /** A text with a custom editor. */
  | EditorInput
  | FilterFieldInput
  | MapInput;

export interface ListInput {
  readonly kind: 'list';
  /** An entry in words: `role ARN`. */
  readonly noun: string;
  readonly placeholder?: string;
}

export interface EditorInput {
  readonly kind: 'editor';
  readonly Editor: ComponentType<TextEditorProps>;
}

/**
 * Props of an editor. It is rendered in the form's context, so that it can propose values of other fields.
 */
export interface TextEditorProps {
  readonly label: string;
  readonly isRequired?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isInvalid?: boolean;
  readonly errorMessage?: string;
}

/** Entries by key, edited together. Each is compared, merged and undone separately. */
export interface MapInput {
  readonly kind: 'map';
  readonly Editor: ComponentType<MapEditorProps>;
  /** Edits a single entry in the decision of its conflict. */
  readonly EntryEditor: ComponentType<MapEntryEditorProps>;
  /** A key in words; the key itself by default. */
  readonly labelOf?: (key: string) => string;
}

export type MapEntries = Readonly<Record<string, string>>;

export interface MapEditorProps {
  readonly label: string;
  readonly value: MapEntries;
  readonly stored: MapEntries;
  readonly onChange: (entries: MapEntries) => void;
  readonly onBlur: () => void;
  readonly error: string | undefined;
  /** The merge's mark of an entry. */
  readonly markOf: (key: string) => ReactNode;
  /** Entries with an open conflict above the form, which can't be edited here. */
  readonly inConflict: ReadonlySet<string>;
}

export interface MapEntryEditorProps {
  readonly label: string;
  /** Undefined if the entry is missing. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A filter expression, with completion and errors in place. */
export interface FilterFieldInput {
  readonly kind: 'filter';
  /** Hook that returns the fields that the expression may name. */
  readonly useFields: () => readonly FilterFieldName[];
  readonly placeholder?: string;
  /** Shown below while typing, such as what the expression matches. */
  readonly Below?: ComponentType<{ filter: string; label: string }>;
}

export interface MembersInput {
  readonly kind: 'members';
  /** `host set`, `host sets` */
  readonly noun: { readonly one: string; readonly many: string };
  /** Searches the records' service for a text. */
  readonly search: (text: string) => ChoiceSearch;
  /** A member in words, even if no search has found it. */
  readonly member: (id: string) => Choice;
  /** The address of a member's page. */
  readonly hrefOf?: (id: string) => string | undefined;
  /** What to do if there are no choices. */
  readonly emptyText: string;
}

/** Matching choices, as TanStack Query options. */
export interface ChoiceSearch {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<{
    readonly choices: readonly Choice[];
    /** Whether more match than are returned. */
    readonly more: boolean;
  }>;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  readonly disabledReason?: string;
}

export interface RequiredBy {
  /** Replaces the field's description. */
  readonly description: string;
  /** The error if the field is empty. */
  readonly error: string;
}

export interface FieldSpec<Values extends FieldValues> {
  readonly path: FieldPath<Values>;
  readonly label: string;
  readonly input: FieldInput;
  readonly isRequired?: boolean;
  /** Why an optional field must be filled in because of other edits; undefined if it needn't. */
  readonly requiredBy?: (values: Values, stored: Values) => RequiredBy | undefined;
  /** One line below the label: what to enter. */
  readonly description?: string;
  readonly help?: ReactNode;
  readonly disabledReason?: string;
  /** Shown right below the control: the consequences of the entered values. */
  readonly Below?: ComponentType<{ values: Values }>;
  /** The value in words, for comparisons and reviews; its text by default. */
  readonly show?: (value: unknown) => string;
}

export interface FormSection<Values extends FieldValues> {
  readonly title: string;
  readonly description?: string | ((values: Values) => string);
  readonly fields: readonly FieldSpec<Values>[];
}

export interface RecordFormSpec<Values extends FieldValues> {
  /** `target` */
  readonly noun: string;
  /** Validates the input: the contract's schema, and rules across fields. */
  readonly schema: z.ZodMiniType<Values, Values>;
  /** How two edits are merged. */
  readonly policy: RecordPolicy;
  readonly sections: readonly FormSection<Values>[];
  /**
   * Fields that this form omits but that conflicts may involve, because they belong to a group of its fields.
   */
  readonly inConflict?: readonly FieldSpec<Values>[];
  /** Names of fields and groups that aren't editable here, by path. */
  readonly otherLabels?: Readonly<Record<string, string>>;
}

/** The stored record, as far as this page knows. */
export interface Stored<Values> {
  readonly record: Values;
  /** The revision that guards the write; null for a record that doesn't exist yet. */
  readonly revision: string | null;
}

type Fields<Values extends FieldValues> = Pick<RecordFormSpec<Values>, 'sections' | 'inConflict'>;

/** All fields of a form in order, followed by those that only appear in conflicts. */
export function fieldsOf<Values extends FieldValues>({
  sections,
  inConflict = [],
}: Fields<Values>): readonly FieldSpec<Values>[] {
  return [...sections.flatMap(({ fields }) => fields), ...inConflict];
}

/** A field while `values` are edited over `stored`: required, with the reason, if other edits require it. */
export function fieldFor<Values extends FieldValues>(
  field: FieldSpec<Values>,
  values: Values,
  stored: Values,
): FieldSpec<Values> {
  const required = field.requiredBy?.(values, stored);
  if (required === undefined) return field;
  const isFilled = !isBlank(valueAtPath(values, field.path.split('.')));
  return { ...field, isRequired: true, ...(!isFilled && { description: required.description }) };
}

/** The empty fields that other edits require. */
export function lackingFields<Values extends FieldValues>(
  spec: Fields<Values>,
  values: Values,
  stored: Values,
): readonly { readonly path: readonly string[]; readonly error: string }[] {
  return fieldsOf(spec).flatMap(({ path, requiredBy }) => {
    const keys = path.split('.');
    const error = requiredBy?.(values, stored)?.error;
    return error === undefined || !isBlank(valueAtPath(values, keys)) ? [] : [{ path: keys, error }];
  });
}

/** The values with a placeholder in each of these fields, for the equivalent command. */
export function filledIn<Values extends FieldValues>(
  spec: Fields<Values>,
  values: Values,
  stored: Values,
): Values {
  const lacking = lackingFields(spec, values, stored);
  if (lacking.length === 0) return values;
  const filled = structuredClone(values);
  for (const { path } of lacking) set(filled, path.join('.'), '…');
  return filled;
}

/** The schema of a form over `stored`, including the fields that other edits require. */
export function schemaOver<Values extends FieldValues>(
  spec: RecordFormSpec<Values>,
  stored: Values,
): z.ZodMiniType<Values, Values> {
  if (fieldsOf(spec).every(({ requiredBy }) => requiredBy === undefined)) return spec.schema;
  return spec.schema.check(
    z.superRefine((values, context) => {
      for (const { path, error } of lackingFields(spec, values, stored)) {
        context.addIssue({ code: 'custom', path: [...path], message: error });
      }
    }),
  );
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() === '' : value === null || value === undefined;
}

/** The field at a path from a server or a merge. */
export function fieldAt<Values extends FieldValues>(
  spec: Fields<Values>,
  path: readonly string[],
): FieldSpec<Values> | undefined {
  const dotted = path.join('.');
  return fieldsOf(spec).find((field) => field.path === dotted);
}

/** The field and key of an entry's path; undefined for other paths. */
export function entryAt<Values extends FieldValues>(
  spec: Fields<Values>,
  path: readonly string[],
): { readonly field: FieldSpec<Values>; readonly input: MapInput; readonly key: string } | undefined {
  const key = path.at(-1);
  const field = key === undefined ? undefined : fieldAt(spec, path.slice(0, -1));
  return field?.input.kind === 'map' && key !== undefined ? { field, input: field.input, key } : undefined;
}

/** A field's displayed name: its label, a declared name, or its key in words. */
export function labelAt<Values extends FieldValues>(
  spec: Fields<Values> & Pick<RecordFormSpec<Values>, 'otherLabels'>,
  path: readonly string[],
): string {
  const known = fieldAt(spec, path)?.label ?? spec.otherLabels?.[path.join('.')];
  if (known !== undefined) return known;
  const entry = entryAt(spec, path);
  if (entry !== undefined) return entry.input.labelOf?.(entry.key) ?? entry.key;
  const words = (path.at(-1) ?? '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
