/** Deleted versions in an engine of the secrets server. */
import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { RecycleBinLine } from '@gatehouse/api-types/console/secret-scans';
import { readLines } from '#lib/api.ts';
import type { SecretPlace } from './secrets.ts';

/** Walks a folder for deleted versions; with `all`, also of secrets with a readable newest version. */
export function readRecycleBin(
  { environment, mount, path }: SecretPlace,
  all: boolean,
  signal: AbortSignal,
): AsyncIterable<RecycleBinLine> {
  return readLines(at.secretScans.recycleBin, {
    params: { environment, mount },
    query: { ...(path !== '' && { folder: path }), ...(all && { all_versions: true }) },
    signal,
  });
}
