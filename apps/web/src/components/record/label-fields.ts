/** Form fields that most kinds of records share. */
import { policyOf } from '@gatehouse/api-types/console/field-kinds';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Choice, RecordFormSpec } from '../form/record-form.ts';

/** A name that is unique within a place. */
export const nameField = (place: 'project' | 'catalog' | 'store') =>
  ({
    path: 'name',
    label: 'Name',
    input: { kind: 'text' },
    isRequired: true,
    description: `Unique within its ${place}.`,
  }) as const;

export const descriptionField = {
  path: 'description',
  label: 'Description',
  input: { kind: 'multiline', rows: 2 },
} as const;

/**
 * The form of a new record: that of a stored one, with the project after the name.
 * @param schema of the new record, including the fields of a stored one
 */
export function newForm<Stored extends FieldValues, New extends FieldValues>(
  { noun, sections }: RecordFormSpec<Stored>,
  schema: z.ZodMiniType<New, New>,
  project: ReturnType<typeof projectField>,
): RecordFormSpec<New> {
  const [identity, ...others] = sections as RecordFormSpec<FieldValues>['sections'];
  const [name, ...fields] = identity?.fields ?? [];
  if (identity === undefined || name?.path !== 'name')
    throw new Error('The form does not begin with a name.');
  const placed = [{ ...identity, fields: [name, project, ...fields] }, ...others];
  return { noun, schema, policy: policyOf(schema), sections: placed as RecordFormSpec<New>['sections'] };
}

/** The project of a new record. */
export const projectField = (projects: readonly Choice[], description: string) =>
  ({
    path: 'scope_id',
    label: 'Project',
    input: { kind: 'search', options: projects, emptyText: 'No project matches.' },
    isRequired: true,
    description,
    show: (value: unknown) => projects.find((project) => project.value === value)?.label ?? String(value),
  }) as const;
