import { toasts } from '@gatehouse/ui/toast';
import { useEffect, useRef, useState } from 'react';
import { counted } from '#lib/counted.ts';
import { sentencesOf } from '#lib/error-words.ts';
import { runEach } from '#lib/run-each.ts';
import { useChangeVersions } from '#queries/secret-versions.ts';
import type { SecretPlace } from '#queries/secrets.ts';

interface ToBringBack {
  readonly path: string;
  readonly versions: readonly number[];
}

/** The number of secrets undeleted concurrently. */
const atOnce = 4;

/** Undeletes versions of many secrets, a few at a time, and reports each failure. */
export function useBringBack(place: SecretPlace) {
  const change = useChangeVersions('undelete');
  /** The undeleted versions, by path. */
  const [back, setBack] = useState<ReadonlyMap<string, readonly number[]>>(new Map());
  const [failed, setFailed] = useState<readonly { path: string; reason: string }[]>([]);
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const [isRunning, setRunning] = useState(false);
  const controller = useRef<AbortController>(null);
  useEffect(
    () => () => {
      controller.current?.abort();
    },
    [],
  );

  const bringBack = (secrets: readonly ToBringBack[]): void => {
    const own = new AbortController();
    controller.current = own;
    let count = 0;
    setRunning(true);
    setFailed([]);
    setProgress({ done: 0, total: secrets.length });
    const work = async ({ path, versions }: ToBringBack): Promise<void> => {
      try {
        await change.mutateAsync({ place: { ...place, path }, versions });
        count += 1;
        setBack((known) => new Map(known).set(path, [...(known.get(path) ?? []), ...versions]));
      } catch (error) {
        setFailed((known) => [...known, { path, reason: sentencesOf(error) }]);
      }
      setProgress(({ done, total }) => ({ done: done + 1, total }));
    };
    void runEach(secrets, atOnce, work, own.signal).finally(() => {
      setRunning(false);
      if (count > 0) toasts.ok({ title: `${counted(count, 'secret')} undeleted` });
    });
  };
  /** Forgets the undeleted versions, because the list is read again. */
  const forget = (): void => {
    setBack(new Map());
  };
  return { back, forget, failed, progress, isRunning, bringBack, cancel: () => controller.current?.abort() };
}
