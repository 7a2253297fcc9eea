import { decisionsText } from '@gatehouse/api-types/console/decisions';
import { savingWith } from '#lib/told-decisions.ts';

/**
 * Makes a record anew that somebody deleted while it was edited, and tells the audit trail that this was decided.
 * @param make creates it; what it throws is thrown
 */
export function recreateRecord<Made>(make: () => Promise<Made>): Promise<Made> {
  return savingWith(decisionsText([{ path: '', choice: 'recreate' }]), make);
}
