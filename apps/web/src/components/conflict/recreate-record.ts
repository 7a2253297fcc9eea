import { decisionsText } from '@gatehouse/api-types/console/decisions';
import type { Decided } from '#lib/api.ts';

/** The decision, for the audit trail, to recreate a record that someone deleted while it was edited. */
export const recreated: Decided = { decisions: decisionsText([{ path: '', choice: 'recreate' }]) };
