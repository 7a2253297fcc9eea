import type { ReplicationFilterFields } from '@gatehouse/api-types/console/replication-secondaries';
import { connectingAsUsual, type Connecting } from '../-actions/connection.ts';

/** The entered settings of a new secondary. */
export interface Draft {
  /** Empty to derive it from the environment. */
  readonly id: string;
  readonly filter: ReplicationFilterFields;
  readonly connecting: Connecting;
}

export const emptyDraft: Draft = {
  id: '',
  filter: { mode: 'all', paths: [] },
  connecting: connectingAsUsual,
};
