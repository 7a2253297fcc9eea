import type { Selectable } from 'kysely';
import type { Deprecation, Module, VersionSummary } from '../domain/module.ts';
import type { ModuleTable, VersionTable } from './schema.ts';

export const summaryColumns = [
  'id',
  'module_id',
  'version',
  'description',
  'source',
  'owner',
  'archive_key',
  'archive_size',
  'archive_sha256',
  'deprecation',
  'published_time',
] as const;

type SummaryRow = Pick<Selectable<VersionTable>, (typeof summaryColumns)[number]>;

export function toModule(row: Selectable<ModuleTable>): Module {
  return {
    id: row.id,
    namespace: row.namespace,
    name: row.name,
    provider: row.provider,
    verified: row.verified !== 0,
    downloads: row.downloads,
    createdTime: row.created_time,
  };
}

export function toSummary(row: SummaryRow): VersionSummary {
  return {
    id: row.id,
    moduleId: row.module_id,
    version: row.version,
    description: row.description,
    source: row.source,
    owner: row.owner,
    archive: { key: row.archive_key ?? '', size: row.archive_size, sha256: row.archive_sha256 },
    deprecation: readDeprecation(row.deprecation),
    publishedTime: row.published_time,
  };
}

export function readDeprecation(text: string | null): Deprecation | null {
  return text === null ? null : (JSON.parse(text) as Deprecation);
}
