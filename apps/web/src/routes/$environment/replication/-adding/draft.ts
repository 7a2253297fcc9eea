import type { ReplicationFilterFields } from '@gatehouse/api-types/console/replication-secondaries';

/** What was entered about a secondary that is to be added. */
export interface Draft {
  /** Empty for one that follows from its environment. */
  readonly id: string;
  /** Undefined: everything is replicated. */
  readonly filter: ReplicationFilterFields | undefined;
  readonly primary_api_addr: string;
  readonly ca_file: string;
  readonly ca_path: string;
}

export const emptyDraft: Draft = {
  id: '',
  filter: undefined,
  primary_api_addr: '',
  ca_file: '',
  ca_path: '',
};
