import type { Reader, Writer } from '@gatehouse/service-kit/store';
import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { SourceFinder } from '../domain/target/sources.ts';
import { credentialPurposes } from '../domain/target/target.ts';
import type { CredentialPurpose, CredentialSource, HostSource, Target } from '../domain/target/target.ts';
import { libraryType } from '../domain/vault-store/library.ts';
import { allLinkedIds, removeLinks } from './links.ts';
import { touch } from './resources.ts';
import type { Schema } from './schema.ts';

const targetsOfHostSets = { table: 'target_host_source', from: 'host_set_id', to: 'target_id' } as const;
const targetsOfCredentialSources = {
  table: 'target_credential_source',
  from: 'source_id',
  to: 'target_id',
} as const;

/** The links from targets to their sources. */
export const sourcesOfTargets = [
  { table: 'target_host_source', from: 'target_id', to: 'host_set_id' },
  { table: 'target_credential_source', from: 'target_id', to: 'source_id' },
] as const;

type Sources = Pick<Target, 'hostSources' | 'credentialSources'>;

interface CredentialSourceRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly store_id: string;
  readonly type: CredentialSource['type'];
  readonly credential_type: CredentialSource['credentialType'];
}

/** Credentials and libraries, as sources. */
const sources = `
  SELECT id, project_id, name, description, store_id, 'static' AS type, type AS credential_type FROM credential
  UNION ALL
  SELECT id, project_id, name, description, store_id, '${libraryType}' AS type, credential_type FROM credential_library`;

/** Reads the sources of targets, in two queries. */
export function sourcesOf(
  reader: Reader<Schema>,
  targetIds: readonly string[],
): (targetId: string) => Sources {
  const hostSources = sql
    .raw<{ target_id: string; id: string; catalog_id: string }>(
      `SELECT target_id, host_set.id, host_set.catalog_id
       FROM target_host_source JOIN host_set ON host_set.id = host_set_id
       WHERE target_id IN (SELECT value FROM json_each(?)) ORDER BY host_set.id`,
    )
    .compile(reader.build);
  const credentialSources = sql
    .raw<CredentialSourceRow & { target_id: string; purpose: CredentialPurpose }>(
      `SELECT target_id, purpose, id, name, description, store_id, type, credential_type
       FROM target_credential_source JOIN (${sources}) ON id = source_id
       WHERE target_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    )
    .compile(reader.build);
  const ids = JSON.stringify(targetIds);
  const hostRows = Map.groupBy(reader.all(withParameters(hostSources, ids)), (row) => row.target_id);
  const credentialRows = Map.groupBy(
    reader.all(withParameters(credentialSources, ids)),
    (row) => `${row.target_id} ${row.purpose}`,
  );
  return (targetId) => {
    const of = (purpose: CredentialPurpose): CredentialSource[] =>
      (credentialRows.get(`${targetId} ${purpose}`) ?? []).map((row) => toCredentialSource(row));
    return {
      hostSources: (hostRows.get(targetId) ?? []).map((row) => toHostSource(row)),
      credentialSources: {
        application: of('application'),
        brokered: of('brokered'),
        injected_application: of('injected_application'),
      },
    };
  };
}

/** Finds sources in a project. */
export function sourceFinder(reader: Reader<Schema>, projectId: string): SourceFinder {
  const { build } = reader;
  return {
    hostSource(id) {
      const sets = build
        .selectFrom('host_set')
        .select(['id', 'catalog_id'])
        .where('project_id', '=', projectId);
      const row = reader.get(sets.where('id', '=', id).compile());
      return row === undefined ? undefined : toHostSource(row);
    },
    credentialSource(id) {
      const found = sql
        .raw<CredentialSourceRow>(`SELECT * FROM (${sources}) WHERE project_id = ? AND id = ?`)
        .compile(build);
      const row = reader.get(withParameters(found, projectId, id));
      return row === undefined ? undefined : toCredentialSource(row);
    },
  };
}

/** Writes the links from a target to its sources. */
export function saveSources(tx: Writer<Schema>, target: Target, before: Target | undefined): void {
  const { build } = tx;
  const hosts = differences(before?.hostSources, target.hostSources);
  for (const id of hosts.left) {
    const links = build.deleteFrom('target_host_source').where('target_id', '=', target.id);
    tx.run(links.where('host_set_id', '=', id).compile());
  }
  for (const id of hosts.joined) {
    const link = { target_id: target.id, host_set_id: id };
    tx.run(build.insertInto('target_host_source').values(link).compile());
  }
  for (const purpose of credentialPurposes) {
    const credentials = differences(before?.credentialSources[purpose], target.credentialSources[purpose]);
    for (const id of credentials.left) {
      const links = build.deleteFrom('target_credential_source').where('target_id', '=', target.id);
      tx.run(links.where('purpose', '=', purpose).where('source_id', '=', id).compile());
    }
    for (const id of credentials.joined) {
      const link = { target_id: target.id, purpose, source_id: id };
      tx.run(build.insertInto('target_credential_source').values(link).compile());
    }
  }
}

/** Deletes the links of deleted targets. */
export function removeSources(tx: Writer<Schema>, targetIds: readonly string[]): void {
  removeLinks(tx, { table: 'target_host_source', from: 'target_id' }, targetIds);
  removeLinks(tx, { table: 'target_credential_source', from: 'target_id' }, targetIds);
}

/** Removes deleted host sets from their targets, which changes the targets. */
export function unlinkHostSets(tx: Writer<Schema>, hostSetIds: readonly string[], now: number): void {
  const targets = allLinkedIds(tx, targetsOfHostSets, hostSetIds);
  removeLinks(tx, targetsOfHostSets, hostSetIds);
  touch(tx, 'target', targets, now);
}

/** Removes deleted credentials and libraries from their targets, which changes the targets. */
export function unlinkCredentialSources(tx: Writer<Schema>, sourceIds: readonly string[], now: number): void {
  const targets = allLinkedIds(tx, targetsOfCredentialSources, sourceIds);
  removeLinks(tx, targetsOfCredentialSources, sourceIds);
  touch(tx, 'target', targets, now);
}

/** Marks the targets of a changed credential or library as changed in refreshed listings. */
export function touchTargetsOf(tx: Writer<Schema>, sourceId: string): void {
  touch(tx, 'target', allLinkedIds(tx, targetsOfCredentialSources, [sourceId]));
}

function differences(
  before: readonly { readonly id: string }[] | undefined,
  after: readonly { readonly id: string }[],
): { readonly left: ReadonlySet<string>; readonly joined: ReadonlySet<string> } {
  const former = new Set((before ?? []).map((source) => source.id));
  const current = new Set(after.map((source) => source.id));
  return { left: former.difference(current), joined: current.difference(former) };
}

function toHostSource(row: { readonly id: string; readonly catalog_id: string }): HostSource {
  return { id: row.id, hostCatalogId: row.catalog_id };
}

function toCredentialSource(row: CredentialSourceRow): CredentialSource {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    storeId: row.store_id,
    type: row.type,
    credentialType: row.credential_type,
  };
}
