import { parseAddress } from '../address.ts';
import type { FieldFaults } from '../refusal.ts';
import type { Resource } from '../resource.ts';

/** A machine that sessions can be opened to. */
export interface Host extends Resource {
  /** `hst_…`. */
  readonly id: string;
  readonly catalogId: string;
  /** The project of the catalog. */
  readonly projectId: string;
  /** A host name or an IP address, without a port. */
  readonly address: string;
  /** The sets that it is in, sorted. Sets say who their members are. */
  readonly hostSetIds: readonly string[];
}

/** Prefix of the ids of hosts. */
export const hostPrefix = 'hst';

/** The address of a host after a change; a host is never without one. Faults are noted. */
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
