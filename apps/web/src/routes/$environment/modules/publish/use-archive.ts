import type { ModuleContent } from '@gatehouse/api-types/console/modules';
import { useEffect, useRef, useState } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { readArchive } from '#queries/module-changes.ts';
import { chooseFiles, type ChosenFiles } from './choose-files.ts';
import type { Found } from './find-files.ts';
import { base64Of, CannotPack, checkSize, pack } from './pack.ts';

/** The chosen folder or archive. */
export interface Chosen {
  /** The name of the folder or the archive file. */
  readonly name: string;
  /** The files to pack; null for an archive, which is sent unchanged. */
  readonly files: ChosenFiles | null;
}

/** A checked archive, ready to publish. */
export interface ReadArchive {
  readonly base64: string;
  readonly size: number;
  readonly sha256: string;
  readonly content: ModuleContent;
}

export type ArchiveState =
  | { readonly kind: 'none' }
  | { readonly kind: 'finding' }
  | { readonly kind: 'packing'; readonly chosen: Chosen; readonly part: number }
  | { readonly kind: 'reading'; readonly chosen: Chosen }
  | {
      readonly kind: 'refused';
      readonly chosen: Chosen | undefined;
      readonly title: string;
      readonly reason: string;
      readonly requestId: string | undefined;
      /** Whether the same archive may be accepted on a retry. */
      readonly canRetry: boolean;
    }
  | { readonly kind: 'read'; readonly chosen: Chosen; readonly archive: ReadArchive };

/** Finds, packs, checks and reads the archive to publish. A later choice replaces it. */
export function useArchive(environment: string, onRead: (chosen: Chosen) => void) {
  const [state, setState] = useState<ArchiveState>({ kind: 'none' });
  const work = useRef<AbortController>(undefined);
  const last = useRef<() => Promise<Found>>(undefined);
  useEffect(
    () => () => {
      work.current?.abort();
    },
    [],
  );

  const choose = async (find: () => Promise<Found>): Promise<void> => {
    last.current = find;
    work.current?.abort();
    const { signal } = (work.current = new AbortController());
    const show = (next: ArchiveState): void => {
      if (!signal.aborted) setState(next);
    };
    let chosen: Chosen | undefined;
    try {
      show({ kind: 'finding' });
      const found = await find();
      let bytes: Uint8Array;
      if (found.kind === 'archive') {
        chosen = { name: found.file.name, files: null };
        show({ kind: 'reading', chosen });
        if (found.file.size === 0) throw new CannotPack('The archive is empty.');
        checkSize(found.file.size);
        bytes = new Uint8Array(await found.file.arrayBuffer());
      } else {
        const files = chooseFiles(found.name, found.files);
        const folder: Chosen = { name: files.folder || 'The files', files };
        chosen = folder;
        let shown = 0;
        show({ kind: 'packing', chosen, part: 0 });
        bytes = await pack(files.packed, (part) => {
          if (part - shown < 0.02) return;
          shown = part;
          show({ kind: 'packing', chosen: folder, part });
        });
      }
      if (signal.aborted) return;
      show({ kind: 'reading', chosen });
      const base64 = base64Of(bytes);
      const read = await readArchive(environment, base64, signal);
      show({ kind: 'read', chosen, archive: { base64, ...read } });
      if (!signal.aborted) onRead(chosen);
    } catch (error) {
      show(refusedBy(error, chosen));
    }
  };
  return {
    state,
    choose: (find: () => Promise<Found>): void => void choose(find),
    retry: (): void => {
      if (last.current !== undefined) void choose(last.current);
    },
  };
}

function refusedBy(error: unknown, chosen: Chosen | undefined): ArchiveState {
  const refused = { kind: 'refused', chosen, requestId: undefined, canRetry: false } as const;
  if (error instanceof CannotPack)
    return { ...refused, title: "Can't pack these files", reason: error.message };
  if (error instanceof DOMException) {
    return {
      ...refused,
      title: "Can't read this file",
      reason:
        "The browser couldn't read a file, which may have been changed or moved. Choose the folder or archive again.",
    };
  }
  const { title, detail, mend, requestId, canRetry } = wordsOf(error);
  const isArchive = isApiError(error, 'invalid-request');
  const named = isArchive
    ? error.problem?.fields?.find(({ path }) => path === 'archive')?.message
    : undefined;
  return {
    ...refused,
    title: isArchive ? "The registry wouldn't accept this archive" : title,
    reason: named ?? [detail, mend].filter((text) => text !== undefined).join(' '),
    requestId,
    canRetry: canRetry || !isArchive,
  };
}
