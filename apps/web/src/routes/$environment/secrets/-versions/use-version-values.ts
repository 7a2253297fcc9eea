import { useCallback, useEffect, useRef, useState } from 'react';
import { useForgetting } from '#lib/forgetting.ts';
import { readValues, type SecretPlace } from '#queries/secrets.ts';

const none: ReadonlyMap<number, string> = new Map();

/** The revealed data of versions, as JSON text by number: only in memory, and only while you view the page. */
export function useVersionValues(place: SecretPlace) {
  const [values, setValues] = useState(none);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [wereCleared, setCleared] = useState(false);
  /** Increases when values are forgotten, so that later answers aren't kept. */
  const round = useRef(0);

  useForgetting(() => {
    round.current += 1;
    setReading(false);
    if (values.size > 0) setCleared(true);
    setValues(none);
  });
  useEffect(
    () => () => {
      round.current += 1;
    },
    [],
  );

  const read = useCallback(
    (versions: readonly number[]) => {
      const own = round.current;
      const isKept = (): boolean => own === round.current;
      setReading(true);
      setFailure(undefined);
      setCleared(false);
      const wanted = versions.filter((version) => !values.has(version));
      Promise.all(wanted.map(async (version) => [version, (await readValues(place, version)).data] as const))
        .then(
          (found) => {
            if (!isKept()) return;
            const readable = found.flatMap(([version, data]) =>
              data === null ? [] : [[version, data] as const],
            );
            setValues((known) => new Map([...known, ...readable]));
          },
          (error: unknown) => {
            if (isKept()) setFailure(error);
          },
        )
        .finally(() => {
          if (isKept()) setReading(false);
        });
    },
    [place, values],
  );
  return {
    values,
    isReading,
    /** Why the last read failed. */
    failure,
    /** Values were revealed, and masked when the page was hidden. */
    wereCleared,
    /** Reads the versions that aren't revealed yet; each read is recorded in the audit trail. */
    read,
  };
}
