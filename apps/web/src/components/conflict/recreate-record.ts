import { decisionsText } from '@gatehouse/api-types/console/decisions';
import type { Decided } from '#lib/api.ts';

/** What the audit trail is told of a record that is made again because somebody deleted it while it was edited. */
export const recreated: Decided = { decisions: decisionsText([{ path: '', choice: 'recreate' }]) };
