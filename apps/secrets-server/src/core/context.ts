import type { AccountStore } from '@gatehouse/service-kit/accounts';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Leases } from '../identity/leases.ts';
import type { PluginCatalog } from '../plugins/catalog.ts';
import type { Replication } from '../replication/replication.ts';
import type { Barrier } from '../store/barrier.ts';
import type { SecretsStore } from '../store/database.ts';
import type { MountTableStore } from '../store/mounts.ts';
import type { Authorizer } from './authorizer.ts';
import type { Namespaces } from './identity.ts';

/** The services that backends share. */
export interface Context {
  readonly version: string;
  readonly store: SecretsStore;
  readonly barrier: Barrier;
  readonly mounts: MountTableStore;
  readonly accounts: AccountStore;
  readonly authorizer: Authorizer;
  readonly namespaces: Namespaces;
  /** The leases of all engines. */
  readonly leases: Leases;
  readonly plugins: PluginCatalog;
  readonly replication: Replication;
  /** The address of this server's API for clients; empty if unknown. */
  readonly apiAddress: () => string;
  readonly clock: Clock;
  readonly log: Log;
  /** The cluster's ID and name, which are created at the first start. */
  readonly cluster: { readonly id: string; readonly name: string };
}
