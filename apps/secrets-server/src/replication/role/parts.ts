import type { Clock } from '@gatehouse/service-kit/clock';
import type { ReplicationRecords } from '../../store/replication/records/record-store.ts';
import type { ReplicationStore } from '../../store/replication/replication-store.ts';
import type { Activations } from '../activation/activation.ts';
import type { Patience } from '../link/patience.ts';
import type { Runtime } from '../running/runtime.ts';
import type { Secondaries } from '../running/secondaries.ts';

/** What of this cluster is its own and ends when its data is cleared. */
export interface LocalData {
  /** Takes back what was issued, as far as that can be done; answers how many leases are left. */
  endLeases(): Promise<number>;
  /** Gives a cluster without data what every new one begins with. */
  afterClearing(): Promise<void>;
}

/** What transitions work with. */
export interface TransitionParts {
  readonly runtime: Runtime;
  readonly store: ReplicationStore;
  readonly records: ReplicationRecords;
  readonly secondaries: Secondaries;
  readonly activations: Activations;
  readonly local: LocalData;
  readonly clock: Clock;
  /** How long a transition that begins now may wait for others. */
  readonly patience: () => Patience;
  /** Keeps what was heard of the primary last. */
  noteHeard(): Promise<void>;
}
