import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import type { FieldFaults } from '../../domain/refusal.ts';
import { MemberReader } from '../body.ts';
import type { JsonObject } from '../body.ts';

/**
 * Reads `attributes` from a body; if missing, they are empty. Adds a fault for attributes that aren't in `known`,
 * unless it is undefined.
 */
export function readAttributes(
  body: JsonObject,
  known: readonly string[] | undefined,
  faults: FieldFaults,
): MemberReader {
  const attributes = (Object.hasOwn(body, 'attributes') ? body['attributes'] : undefined) ?? {};
  const readable = isJsonObject(attributes) ? attributes : {};
  const foreign =
    known === undefined ? undefined : Object.keys(readable).find((name) => !known.includes(name));
  if (attributes !== readable || foreign !== undefined) {
    faults.add('attributes', 'Attribute fields do not match the expected format.');
  }
  return new MemberReader(readable, faults, 'attributes.');
}
