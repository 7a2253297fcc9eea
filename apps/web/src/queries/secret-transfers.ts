/** Work on many secrets: moves, copies, imports and exports, whose results arrive one by one. */
import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import { findLimit, type SearchLine } from '@gatehouse/api-types/console/secret-scans';
import type { ExportLine, Transfer, TransferLine } from '@gatehouse/api-types/console/secret-transfers';
import type { BodyInputOf } from '@gatehouse/api-types/contract';
import { useMutation } from '@tanstack/react-query';
import { call, readLines } from '#lib/api.ts';
import type { EnginePlace } from './secret-metadata.ts';
import type { SecretPlace } from './secrets.ts';

export function readTransfer(
  environment: string,
  body: Transfer,
  signal: AbortSignal,
): AsyncIterable<TransferLine> {
  return readLines(at.secretTransfers.transfer, { params: { environment }, body, signal });
}

export type ImportEntries = BodyInputOf<Endpoints['secretTransfers']['import']>['entries'];

export function readImport(
  params: EnginePlace,
  entries: ImportEntries,
  signal: AbortSignal,
): AsyncIterable<TransferLine> {
  return readLines(at.secretTransfers.import, { params, body: { entries }, signal });
}

export function readExport(
  params: EnginePlace,
  what: BodyInputOf<Endpoints['secretTransfers']['export']>,
  signal: AbortSignal,
): AsyncIterable<ExportLine> {
  return readLines(at.secretTransfers.export, { params, body: what, signal });
}

/** Previews an import. Its variables hold values, and are dropped at once. */
export function usePreviewImport(params: EnginePlace) {
  return useMutation({
    gcTime: 0,
    mutationFn: (entries: readonly { path: string; data: string }[]) =>
      call(at.secretTransfers.previewImport, { params, body: { entries: [...entries] } }),
  });
}

/** Walks a folder recursively. The search needs a text: a word that all paths in it contain. */
export function readBelow(
  { environment, mount, path }: SecretPlace,
  signal: AbortSignal,
): AsyncIterable<SearchLine> {
  const [word = path] = path.trim().split(/\s+/);
  return readLines(at.secretScans.search, {
    params: { environment, mount },
    query: { folder: path, text: word.slice(0, 200), limit: findLimit },
    signal,
  });
}
