import type { ReplicationFilterFields } from '@gatehouse/api-types/console/replication-secondaries';
import { connectingAsUsual, type Connecting } from '../-actions/connection.ts';

/** What was entered about a secondary that is to be added. */
export interface Draft {
  /** Empty for one that follows from its environment. */
  readonly id: string;
  readonly filter: ReplicationFilterFields;
  readonly connecting: Connecting;
}

export const emptyDraft: Draft = {
  id: '',
  filter: { mode: 'all', paths: [] },
  connecting: connectingAsUsual,
};
