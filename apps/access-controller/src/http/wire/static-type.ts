import type { FieldFaults } from '../../domain/refusal.ts';
import { MemberReader } from '../body.ts';
import type { JsonObject } from '../body.ts';

/** The only type of host catalogs, host sets and hosts in this service, and one type of credential stores. */
export const staticType = 'static';

/** Checks the `type` of a new resource, which may be missing unless `required`. Adds its faults. */
export function checkNewType(body: JsonObject, required: boolean, faults: FieldFaults): void {
  const type = new MemberReader(body, faults).string('type') ?? '';
  if (type === staticType || (type === '' && !required)) return;
  faults.add(
    'type',
    type === '' ? 'This is a required field.' : 'Unknown type provided: this service only has "static".',
  );
}

/** Adds a fault if a change names another type. */
export function checkSameType(body: JsonObject, type: string, faults: FieldFaults): void {
  if ((new MemberReader(body, faults).string('type') ?? type) !== type) {
    faults.add('type', 'Cannot modify the resource type.');
  }
}
