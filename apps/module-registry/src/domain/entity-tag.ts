import { createHash } from 'node:crypto';
import type { Module, VersionSummary } from './module.ts';

/** The state of a module and of a version that a client saw before it requests a change. */
export interface Seen {
  readonly module: string;
  readonly version: string;
}

/**
 * The ETag of a version's detail. Covers what users can change: the module's part comes first, then the version's,
 * and a change of one doesn't block a change of the other. Downloads and newer versions don't affect it.
 */
export function entityTag(module: Module, version: VersionSummary): string {
  return `"${moduleTag(module)}.${versionTag(version)}"`;
}

/** The part of a tag that depends on the module. */
export function moduleTag({ id, verified }: Pick<Module, 'id' | 'verified'>): string {
  return hash([id, verified]);
}

/** The part of a tag that depends on the version. */
export function versionTag({ id, deprecation }: Pick<VersionSummary, 'id' | 'deprecation'>): string {
  return hash([id, deprecation]);
}

/** Parses an `If-Match` header; undefined if any state may be changed. A malformed tag matches nothing. */
export function seenOf(ifMatch: string | undefined): Seen | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const [, module = '', version = ''] = /^\s*"([0-9a-f]+)\.([0-9a-f]+)"\s*$/.exec(ifMatch) ?? [];
  return { module, version };
}

function hash(state: unknown): string {
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 20);
}
