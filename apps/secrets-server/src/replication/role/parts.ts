import type { Clock } from '@gatehouse/service-kit/clock';
import type { ReplicationRecords } from '../../store/replication/records/record-store.ts';
import type { ReplicationStore } from '../../store/replication/replication-store.ts';
import type { Activations } from '../activation/activation.ts';
import type { Patience } from '../link/patience.ts';
import type { Runtime } from '../running/runtime.ts';
import type { Secondaries } from '../running/secondaries.ts';

/** The cluster's own data, which ends when its records are cleared. */
export interface LocalData {
  /** Revokes all leases as far as possible, and returns the number of remaining ones. */
  endLeases(): Promise<number>;
  /** Creates the initial records of a cleared cluster. */
  afterClearing(): Promise<void>;
}

export interface TransitionParts {
  readonly runtime: Runtime;
  readonly store: ReplicationStore;
  readonly records: ReplicationRecords;
  readonly secondaries: Secondaries;
  readonly activations: Activations;
  readonly local: LocalData;
  readonly clock: Clock;
  /** The time limits for the external calls of a transition that begins now. */
  readonly patience: () => Patience;
  /** Saves the primary's last known state. */
  noteHeard(): Promise<void>;
}
