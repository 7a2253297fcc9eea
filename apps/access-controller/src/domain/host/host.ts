import { parseAddress } from '../address.ts';
import type { FieldFaults } from '../refusal.ts';
import type { Resource } from '../resource.ts';

/** A machine that sessions can be opened to. */
export interface Host extends Resource {
  /** `hst_…`. */
  readonly id: string;
  readonly catalogId: string;
  /** The catalog's project. */
  readonly projectId: string;
  /** A host name or an IP address, without a port. */
  readonly address: string;
  /** IDs of the host sets with this host, sorted. Host sets store the membership. */
  readonly hostSetIds: readonly string[];
}

export const hostPrefix = 'hst';

/** The address of a host after a change. Adds a fault if the change clears the address, which is required. */
export function changedHostAddress(
  before: string,
  given: string | null | undefined,
  faults: FieldFaults,
): string {
  const text = given === undefined ? before : (given ?? '');
  if (text.trim() === '') {
    faults.add('attributes.address', 'This field is required.');
    return before;
  }
  const parsed = parseAddress(text);
  if ('address' in parsed) return parsed.address;
  faults.add('attributes.address', parsed.fault);
  return before;
}
