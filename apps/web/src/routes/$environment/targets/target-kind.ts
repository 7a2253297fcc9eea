/** Targets as records that can be viewed, edited and deleted. */
import {
  fieldsOfTarget,
  target,
  type NewTarget,
  type Target,
  type TargetChanges,
  type TargetFields,
} from '@gatehouse/api-types/console/targets';
import { changesNote, codeSetUp } from '#components/form/as-code.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import { shownTargets } from './shown-targets.ts';
import { updateTargetAsCode } from './target-as-code.ts';
import { knownType, newTargetBody, targetForm } from './target-form.ts';

export const targetKind: RecordKind<Target, TargetFields, NewTarget, TargetChanges> = {
  ...shownTargets,
  schema: target,
  fieldsOf: fieldsOfTarget,
  formOf: ({ type, address, host_source_ids: hosts }) => targetForm(type, hosts.length > 0 && address === ''),
  bodyOf: (changed) => changed,
  anewOf: (fields, { scope_id, type }) => {
    const known = knownType(type);
    return known === undefined ? null : newTargetBody({ ...fields, scope_id, type: known });
  },
  anewNote: 'The new target has a new ID. Add its sources again.',
  cannotAnew: "This console can't create targets of this type.",
  code: {
    of: (changes, { item }) => updateTargetAsCode(item, changes),
    note: (hasChanges) => changesNote(hasChanges, codeSetUp.access),
  },
};
