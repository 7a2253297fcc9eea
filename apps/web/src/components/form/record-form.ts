/** What a screen declares about a resource that can be edited; everything else follows from it. */
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
  /** A length of time as text, `36h` or `0s`, said in words below; `none` is what no time means. */
  | { readonly kind: 'duration'; readonly none: string }
  | { readonly kind: 'choice'; readonly options: readonly Choice[] }
  /** One of many, found by typing. */
  | { readonly kind: 'search'; readonly options: readonly Choice[]; readonly emptyText?: string }
  /** A set of ids: what is in it, and a search for more. */
  | MembersInput
  /** Texts, a row each. */
  | ListInput
  /** A text with an editor of its own. */
  | EditorInput
  | FilterFieldInput
  | MapInput;

export interface ListInput {
  readonly kind: 'list';
  /** One entry: `role ARN`. */
  readonly noun: string;
  readonly placeholder?: string;
}

export interface EditorInput {
  readonly kind: 'editor';
  readonly Editor: ComponentType<TextEditorProps>;
}

/** What an editor needs; it is drawn within the form's context, so that it can propose what other fields may hold. */
export interface TextEditorProps {
  readonly label: string;
  readonly isRequired?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isInvalid?: boolean;
  readonly errorMessage?: string;
}

/** Entries by key, edited in one place; each of them is compared, merged and taken back by itself. */
export interface MapInput {
  readonly kind: 'map';
  readonly Editor: ComponentType<MapEditorProps>;
  /** The editor of a single entry, where a conflict about it is decided by writing a third value. */
  readonly EntryEditor: ComponentType<MapEntryEditorProps>;
  /** A key in words; as it is without it. */
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
  /** What a merge did to an entry. */
  readonly markOf: (key: string) => ReactNode;
  /** Entries that are decided about above the form, and are not edited here meanwhile. */
  readonly inConflict: ReadonlySet<string>;
}

export interface MapEntryEditorProps {
  readonly label: string;
  /** Undefined where the entry is not there. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A filter expression, with completion and errors in place. */
export interface FilterFieldInput {
  readonly kind: 'filter';
  /** A hook that answers what the expression can name. */
  readonly useFields: () => readonly FilterFieldName[];
  readonly placeholder?: string;
  /** Shown below as one writes, such as what the expression matches. */
  readonly Below?: ComponentType<{ filter: string; label: string }>;
}

export interface MembersInput {
  readonly kind: 'members';
  /** `host set`, `host sets` */
  readonly noun: { readonly one: string; readonly many: string };
  /** What matches a text, searched where the records are. */
  readonly search: (text: string) => ChoiceSearch;
  /** A member in words, though no search has found it. */
  readonly member: (id: string) => Choice;
  /** Where a member is shown by itself. */
  readonly hrefOf?: (id: string) => string | undefined;
  /** What to do where there is nothing to choose. */
  readonly emptyText: string;
}

/** Choices that match, as a query of TanStack Query. */
export interface ChoiceSearch {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<{
    readonly choices: readonly Choice[];
    /** There are more than these: the search is to be narrowed. */
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
  /** In place of the field's own description. */
  readonly description: string;
  /** The error of an empty field. */
  readonly error: string;
}

export interface FieldSpec<Values extends FieldValues> {
  readonly path: FieldPath<Values>;
  readonly label: string;
  readonly input: FieldInput;
  readonly isRequired?: boolean;
  /** Why a field that may be empty has to be filled in after all, by what else was edited; undefined while it need not be. */
  readonly requiredBy?: (values: Values, stored: Values) => RequiredBy | undefined;
  /** One line under the label: what belongs here. */
  readonly description?: string;
  readonly help?: ReactNode;
  readonly disabledReason?: string;
  /** Right below the control: what the values that are entered lead to. */
  readonly Below?: ComponentType<{ values: Values }>;
  /** The value in words where it is compared or reviewed; as text without it. */
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
  /** Checks what is typed: the contract's schema, with what depends on several fields. */
  readonly schema: z.ZodMiniType<Values, Values>;
  /** How two edits merge. */
  readonly policy: RecordPolicy;
  readonly sections: readonly FormSection<Values>[];
  /** Fields that this form leaves out, and that a conflict may bring up because they belong to one that it has. */
  readonly inConflict?: readonly FieldSpec<Values>[];
  /** Names of fields and groups that a person does not edit here, by path. */
  readonly otherLabels?: Readonly<Record<string, string>>;
}

/** What is stored, as far as this page knows. */
export interface Stored<Values> {
  readonly record: Values;
  /** Which write it is guarded by; null for what does not exist yet. */
  readonly revision: string | null;
}

type Fields<Values extends FieldValues> = Pick<RecordFormSpec<Values>, 'sections' | 'inConflict'>;

/** Every field of a form in its order, those of conflicts behind the others. */
export function fieldsOf<Values extends FieldValues>({
  sections,
  inConflict = [],
}: Fields<Values>): readonly FieldSpec<Values>[] {
  return [...sections.flatMap(({ fields }) => fields), ...inConflict];
}

/** A field as it is while `values` are edited over `stored`: required, and why, where what else was edited asks for it. */
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

/** The fields that have to be filled in because of what else was edited, and are not. */
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

/** The values with a stand-in in every such field: what a command that does the same sets as well. */
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

/** The schema of a form over `stored`, with the fields that what else was edited asks for. */
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

/** The field at a path, which a server or a merge may name. */
export function fieldAt<Values extends FieldValues>(
  spec: Fields<Values>,
  path: readonly string[],
): FieldSpec<Values> | undefined {
  const dotted = path.join('.');
  return fieldsOf(spec).find((field) => field.path === dotted);
}

/** The field that holds entries by key, and the key, where a path is that of one entry. */
export function entryAt<Values extends FieldValues>(
  spec: Fields<Values>,
  path: readonly string[],
): { readonly field: FieldSpec<Values>; readonly input: MapInput; readonly key: string } | undefined {
  const key = path.at(-1);
  const field = key === undefined ? undefined : fieldAt(spec, path.slice(0, -1));
  return field?.input.kind === 'map' && key !== undefined ? { field, input: field.input, key } : undefined;
}

/** A field's name for people: its label, a declared name, else its key in words. */
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
