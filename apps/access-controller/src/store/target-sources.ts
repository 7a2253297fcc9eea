import type { Reader, Writer } from '@gatehouse/service-kit/store';
import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { HostSource, Target } from '../domain/target/target.ts';
import { allLinkedIds, removeLinks } from './links.ts';
import { touch } from './resources.ts';
import type { Schema } from './schema.ts';

const hostSetsOfTargets = { table: 'target_host_source', from: 'target_id', to: 'host_set_id' } as const;
const targetsOfHostSets = { table: 'target_host_source', from: 'host_set_id', to: 'target_id' } as const;

/** The host sources of each of the targets, sorted; in one query. */
export function hostSourcesOf(
  reader: Reader<Schema>,
  targetIds: readonly string[],
): (targetId: string) => readonly HostSource[] {
  const sources = sql
    .raw<{ target_id: string; id: string; catalog_id: string }>(
      `SELECT target_id, host_set.id, host_set.catalog_id
       FROM target_host_source JOIN host_set ON host_set.id = host_set_id
       WHERE target_id IN (SELECT value FROM json_each(?)) ORDER BY host_set.id`,
    )
    .compile(reader.build);
  const rows = reader.all(withParameters(sources, JSON.stringify(targetIds)));
  const ofTarget = Map.groupBy(rows, (row) => row.target_id);
  return (targetId) =>
    (ofTarget.get(targetId) ?? []).map((row) => ({ id: row.id, hostCatalogId: row.catalog_id }));
}

/** Writes the sources that a target has beside its row. */
export function saveSources(tx: Writer<Schema>, target: Target, before: Target | undefined): void {
  const current = new Set(target.hostSources.map((source) => source.id));
  const former = new Set((before?.hostSources ?? []).map((source) => source.id));
  for (const host_set_id of former.difference(current)) {
    tx.run(
      tx.build
        .deleteFrom('target_host_source')
        .where('target_id', '=', target.id)
        .where('host_set_id', '=', host_set_id)
        .compile(),
    );
  }
  for (const host_set_id of current.difference(former)) {
    tx.run(tx.build.insertInto('target_host_source').values({ target_id: target.id, host_set_id }).compile());
  }
}

/** Removes the sources of targets that are removed. */
export function removeSources(tx: Writer<Schema>, targetIds: readonly string[]): void {
  removeLinks(tx, hostSetsOfTargets, targetIds);
}

/** Takes host sets that are removed out of the targets that have them, which is a change of these targets. */
export function unlinkHostSets(tx: Writer<Schema>, hostSetIds: readonly string[], now: number): void {
  const targets = allLinkedIds(tx, targetsOfHostSets, hostSetIds);
  removeLinks(tx, targetsOfHostSets, hostSetIds);
  touch(tx, 'target', targets, now);
}
