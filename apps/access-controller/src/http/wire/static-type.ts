import type { FieldFaults } from '../../domain/refusal.ts';
import { MemberReader } from '../body.ts';
import type { JsonObject } from '../body.ts';

/** The one type of host catalogs, host sets, hosts and credential stores that this service has. */
export const staticType = 'static';

/** Checks the `type` of a new resource; it may be missing unless it is required. Faults are noted. */
export function checkNewType(body: JsonObject, required: boolean, faults: FieldFaults): void {
  const type = new MemberReader(body, faults).string('type') ?? '';
  if (type === staticType || (type === '' && !required)) return;
  faults.add(
    'type',
    type === '' ? 'This is a required field.' : 'Unknown type provided: this service only has "static".',
  );
}

/** Checks that a change names no other type. Faults are noted. */
export function checkSameType(body: JsonObject, type: string, faults: FieldFaults): void {
  if ((new MemberReader(body, faults).string('type') ?? type) !== type) {
    faults.add('type', 'Cannot modify the resource type.');
  }
}
