/** The fields of a form that most kinds of records have. */
import type { Choice } from '../form/record-form.ts';

/** The name of what is told apart by it within a place. */
export const nameField = (place: 'project' | 'catalog' | 'store') =>
  ({
    path: 'name',
    label: 'Name',
    input: { kind: 'text' },
    isRequired: true,
    description: `Unique in its ${place}.`,
  }) as const;

export const descriptionField = {
  path: 'description',
  label: 'Description',
  input: { kind: 'multiline', rows: 2 },
} as const;

/** The project that is to hold a new record. */
export const projectField = (projects: readonly Choice[], description: string) =>
  ({
    path: 'scope_id',
    label: 'Project',
    input: { kind: 'search', options: projects, emptyText: 'No project of that name.' },
    isRequired: true,
    description,
    show: (value: unknown) => projects.find((project) => project.value === value)?.label ?? String(value),
  }) as const;
