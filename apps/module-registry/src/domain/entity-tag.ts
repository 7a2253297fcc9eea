import { createHash } from 'node:crypto';
import type { Module, VersionSummary } from './module.ts';

/** What a client has seen of a module and of a version when it asks to change one of them. */
export interface Seen {
  readonly module: string;
  readonly version: string;
}

/**
 * The ETag of a version's detail: what people may change of it, its module's part before its own, so that neither stands
 * in the way of the other. Downloads and newer versions do not change it.
 */
export function entityTag(module: Module, version: VersionSummary): string {
  return `"${moduleTag(module)}.${versionTag(version)}"`;
}

/** The part of a tag that changes with the module. */
export function moduleTag({ id, verified }: Pick<Module, 'id' | 'verified'>): string {
  return hash([id, verified]);
}

/** The part of a tag that changes with the version. */
export function versionTag({ id, deprecation }: Pick<VersionSummary, 'id' | 'deprecation'>): string {
  return hash([id, deprecation]);
}

/** What an `If-Match` header says; undefined when anything may be changed. A tag of nobody's matches nothing. */
export function seenOf(ifMatch: string | undefined): Seen | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const [, module = '', version = ''] = /^\s*"([0-9a-f]+)\.([0-9a-f]+)"\s*$/.exec(ifMatch) ?? [];
  return { module, version };
}

function hash(state: unknown): string {
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 20);
}
