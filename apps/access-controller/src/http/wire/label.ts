import { blankLabel, changedLabel } from '../../domain/label.ts';
import type { Label, LabelChange } from '../../domain/label.ts';
import type { FieldFaults } from '../../domain/refusal.ts';
import { MemberReader } from '../body.ts';
import type { JsonObject } from '../body.ts';

/** Reads the name and description of a new resource, and adds their faults. */
export function readNewLabel(body: JsonObject, faults: FieldFaults): Label {
  return changedLabel(blankLabel, readLabel(body, faults), faults);
}

/** Reads the name and description that an update sets, and adds their faults. */
export function readLabelChange(body: JsonObject, faults: FieldFaults): LabelChange {
  const change = readLabel(body, faults);
  changedLabel(blankLabel, change, faults);
  return change;
}

function readLabel(body: JsonObject, faults: FieldFaults): LabelChange {
  const members = new MemberReader(body, faults);
  return { name: members.string('name'), description: members.string('description') };
}
