import type { Store } from '@gatehouse/service-kit/store';
import type { SourceFinder } from '../domain/target/sources.ts';
import type { Target } from '../domain/target/target.ts';
import { changeResource, commonFields, commonRow, resourceStore } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { Schema, TargetTable } from './schema.ts';
import { cancelInParts, cancelSessions } from './sessions.ts';
import { removeSources, saveSources, sourceFinder, sourcesOf, sourcesOfTargets } from './target-sources.ts';

export interface TargetStore extends ResourceStore<Target> {
  /**
   * Changes the sources of a target. `change` gets a finder for the sources of the target's project.
   * @throws Refusal `not found or stale`, and the errors of `change`
   */
  changeSources(
    id: string,
    version: number,
    change: (current: Target, find: SourceFinder) => Target,
  ): Promise<Target>;
}

export const targetTable: ResourceTable<TargetTable, Target> = {
  table: 'target',
  what: 'Target',
  container: { table: 'scope', column: 'project_id', what: 'project', idOf: (target) => target.projectId },
  toRow,
  toItems(reader, rows) {
    const sources = sourcesOf(
      reader,
      rows.map((row) => row.id),
    );
    return rows.map((row) => ({ ...fieldsOf(row), ...sources(row.id) }));
  },
  links: sourcesOfTargets,
  saveParts: saveSources,
  beforeRemoval: (store, id, now) => cancelInParts(store, 'target_id', id, now),
  removeParts(tx, ids, now) {
    removeSources(tx, ids);
    cancelSessions(tx, 'target_id', ids, now);
  },
};

export function targetStore(store: Store<Schema>): TargetStore {
  return {
    ...resourceStore(store, targetTable),
    changeSources: (id, version, change) =>
      store.write((tx) =>
        changeResource(tx, targetTable, id, version, (current) =>
          change(current, sourceFinder(tx, current.projectId)),
        ),
      ),
  };
}

function toRow(target: Target, change: number): TargetTable {
  const { attributes } = target;
  return {
    ...commonRow(target, change),
    type: target.type,
    session_max_seconds: target.sessionMaxSeconds,
    session_connection_limit: target.sessionConnectionLimit,
    worker_filter: target.workerFilter,
    egress_worker_filter: target.egressWorkerFilter,
    ingress_worker_filter: target.ingressWorkerFilter,
    address: target.address,
    default_port: attributes.defaultPort,
    default_client_port: attributes.defaultClientPort,
    storage_bucket_id: attributes.storageBucketId,
    enable_session_recording: attributes.enableSessionRecording ? 1 : 0,
  };
}

function fieldsOf(row: TargetTable): Omit<Target, 'hostSources' | 'credentialSources'> {
  return {
    ...commonFields(row),
    type: row.type,
    sessionMaxSeconds: row.session_max_seconds,
    sessionConnectionLimit: row.session_connection_limit,
    workerFilter: row.worker_filter,
    egressWorkerFilter: row.egress_worker_filter,
    ingressWorkerFilter: row.ingress_worker_filter,
    address: row.address,
    attributes: {
      defaultPort: row.default_port,
      defaultClientPort: row.default_client_port,
      storageBucketId: row.storage_bucket_id,
      enableSessionRecording: row.enable_session_recording !== 0,
    },
  };
}
