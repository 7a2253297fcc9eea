/** What is found by walking through an engine of the secrets server: deleted versions, and a value. */
import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { RecycleBinLine, ValueLine } from '@gatehouse/api-types/console/secret-scans';
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

/** Walks a folder for secrets whose newest version contains a value. */
export function readValueHolders(
  { environment, mount, path }: SecretPlace,
  value: string,
  signal: AbortSignal,
): AsyncIterable<ValueLine> {
  return readLines(at.secretScans.findValue, {
    params: { environment, mount },
    body: { value, ...(path !== '' && { folder: path }) },
    signal,
  });
}
