import type { FieldFaults } from './refusal.ts';
import type { Scope } from './scope.ts';
import { descriptionFault, nameFault } from './text.ts';

/** The fields of a scope that people set. */
export type ScopeFields = Pick<Scope, 'name' | 'description'>;

/** Fields to set. A missing one stays; null clears it. A scope may be without a name. */
export interface ScopeChange {
  readonly name?: string | null;
  readonly description?: string | null;
}

/** The fields of a scope after a change. Faults are noted; the answer is then of no use. */
export function changedScopeFields(
  before: ScopeFields,
  change: ScopeChange,
  faults: FieldFaults,
): ScopeFields {
  const name = change.name === undefined ? before.name : (change.name ?? '').trim();
  const description =
    change.description === undefined ? before.description : (change.description ?? '').trim();
  const badName = nameFault(name);
  if (badName !== undefined) faults.add('name', badName);
  const badDescription = descriptionFault(description);
  if (badDescription !== undefined) faults.add('description', badDescription);
  return { name, description };
}
