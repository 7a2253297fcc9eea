import { blankLabel, changedLabel } from '../../domain/label.ts';
import type { Label, LabelChange } from '../../domain/label.ts';
import type { FieldFaults } from '../../domain/refusal.ts';
import { MemberReader } from '../body.ts';
import type { JsonObject } from '../body.ts';

/** The name and description of a create operation's body. Faults are noted. */
export function readNewLabel(body: JsonObject, faults: FieldFaults): Label {
  return changedLabel(blankLabel, readLabel(body, faults), faults);
}

/** The name and description that an update operation's body sets. Faults are noted. */
export function readLabelChange(body: JsonObject, faults: FieldFaults): LabelChange {
  const change = readLabel(body, faults);
  changedLabel(blankLabel, change, faults);
  return change;
}

function readLabel(body: JsonObject, faults: FieldFaults): LabelChange {
  const members = new MemberReader(body, faults);
  return { name: members.string('name'), description: members.string('description') };
}
