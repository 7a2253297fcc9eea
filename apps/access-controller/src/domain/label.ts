import type { FieldFaults } from './refusal.ts';
import { descriptionFault, nameFault } from './text.ts';

/** What people call a thing. */
export interface Label {
  /** Empty when it has none. */
  readonly name: string;
  readonly description: string;
}

/** Fields to set. A missing one stays; null clears it. */
export interface LabelChange {
  readonly name?: string | null;
  readonly description?: string | null;
}

/** A label of which nothing was set. */
export const blankLabel: Label = { name: '', description: '' };

/** A label after a change. Faults are noted; the answer is then of no use. */
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
