import type { FileEntry } from '@gatehouse/api-types/console/secret-files';
import { useEffect, useRef, useState } from 'react';
import { fullName } from '#components/places/secrets.ts';
import { folderOf } from '#lib/folder-of.ts';
import { saveFile } from '#lib/save-file.ts';
import { readExport } from '#queries/secret-transfers.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { exportFile, repeatedNames, type ExportFormat } from './write-export.ts';

export interface ExportState {
  readonly kind: 'ready' | 'running' | 'done' | 'stopped' | 'failed';
  /** Secrets read so far. */
  readonly count: number;
  readonly skipped: readonly { readonly path: string; readonly detail: string }[];
  /** Fields that the file format can't store. */
  readonly left: readonly string[];
  /** Names used by several secrets of a dotenv file. */
  readonly repeated: readonly string[];
  readonly fileName: string;
  readonly error: unknown;
}

const ready: ExportState = {
  kind: 'ready',
  count: 0,
  skipped: [],
  left: [],
  repeated: [],
  fileName: '',
  error: undefined,
};

/** Reads secrets and downloads them as a file. The page keeps no values. */
export function useExport(place: SecretPlace, what: 'secret' | 'folder') {
  const [state, setState] = useState(ready);
  const controller = useRef<AbortController>(null);
  useEffect(
    () => () => {
      controller.current?.abort();
    },
    [],
  );

  const read = async (format: ExportFormat, signal: AbortSignal): Promise<void> => {
    const entries: FileEntry[] = [];
    const skipped: { path: string; detail: string }[] = [];
    const wanted = what === 'secret' ? { paths: [place.path] } : { folders: [place.path] };
    for await (const line of readExport(place, wanted, signal)) {
      if (line.kind === 'secret') entries.push({ path: line.path, data: line.data });
      else if (line.kind === 'skipped') skipped.push({ path: line.path, detail: line.detail });
      else if (line.kind === 'failed') throw new Error(line.detail);
      setState((before) => ({ ...before, count: entries.length, skipped: [...skipped] }));
    }
    const from = what === 'secret' ? folderOf(place.path) : place.path;
    const { name, text, type, left } = exportFile(entries, format, fullName(place), from);
    if (entries.length > 0) saveFile(new Blob([text], { type }), name);
    setState((before) => ({
      ...before,
      kind: 'done',
      left,
      repeated: format === 'dotenv' ? repeatedNames(entries) : [],
      fileName: name,
    }));
  };

  return {
    state,
    run: (format: ExportFormat): void => {
      const own = new AbortController();
      controller.current = own;
      setState({ ...ready, kind: 'running' });
      read(format, own.signal).catch((error: unknown) => {
        if (!own.signal.aborted) setState((before) => ({ ...before, kind: 'failed', error }));
      });
    },
    stop: (): void => {
      controller.current?.abort();
      setState((before) => ({ ...before, kind: 'stopped' }));
    },
  };
}
