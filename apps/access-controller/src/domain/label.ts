import type { FieldFaults } from './refusal.ts';
import { descriptionFault, nameFault } from './text.ts';

/** The name and description of a resource. */
export interface Label {
  /** Empty if it has no name. */
  readonly name: string;
  readonly description: string;
}

/** Fields to set. A missing field keeps its value; null clears it. */
export interface LabelChange {
  readonly name?: string | null;
  readonly description?: string | null;
}

export const blankLabel: Label = { name: '', description: '' };

/** A label after a change. After a fault the result is meaningless. */
export function changedLabel(before: Label, change: LabelChange, faults: FieldFaults): Label {
  const name = change.name === undefined ? before.name : (change.name ?? '').trim();
  const description =
    change.description === undefined ? before.description : (change.description ?? '').trim();
  const badName = nameFault(name);
  if (badName !== undefined) faults.add('name', badName);
  const badDescription = descriptionFault(description);
  if (badDescription !== undefined) faults.add('description', badDescription);
  return { name, description };
}
