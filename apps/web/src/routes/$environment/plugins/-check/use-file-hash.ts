import { useEffect, useRef, useState } from 'react';
import { hashFile } from '#lib/hashing/hash-file.ts';
import type { HashedFile } from './verdict.ts';

export type FileHash =
  | { readonly state: 'none' }
  /** `done`: from 0 to 1. */
  | { readonly state: 'hashing'; readonly name: string; readonly done: number }
  | { readonly state: 'hashed'; readonly file: HashedFile }
  | { readonly state: 'failed'; readonly name: string };

/** The SHA-256 of the last chosen file, computed in a worker. */
export function useFileHash(onHashed?: (file: HashedFile) => void): {
  readonly hash: FileHash;
  readonly pick: (file: File) => void;
} {
  const [hash, setHash] = useState<FileHash>({ state: 'none' });
  const running = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      running.current?.abort();
    },
    [],
  );
  return {
    hash,
    pick: (file) => {
      running.current?.abort();
      const own = new AbortController();
      running.current = own;
      const { name } = file;
      setHash({ state: 'hashing', name, done: 0 });
      hashFile(file, {
        signal: own.signal,
        onProgress: (hashed) => {
          if (!own.signal.aborted) setHash({ state: 'hashing', name, done: hashed / file.size });
        },
      }).then(
        (sha256) => {
          if (own.signal.aborted) return;
          setHash({ state: 'hashed', file: { name, sha256 } });
          onHashed?.({ name, sha256 });
        },
        () => {
          if (!own.signal.aborted) setHash({ state: 'failed', name });
        },
      );
    },
  };
}
