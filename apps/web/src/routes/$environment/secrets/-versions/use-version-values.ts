import { useCallback, useEffect, useRef, useState } from 'react';
import { useForgetting } from '#lib/forgetting.ts';
import { readValues, type SecretPlace } from '#queries/secrets.ts';

const none: ReadonlyMap<number, string> = new Map();

/** The data of versions that were revealed, as JSON text by number: in memory, for as long as the page is looked at. */
export function useVersionValues(place: SecretPlace) {
  const [values, setValues] = useState(none);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [wereCleared, setCleared] = useState(false);
  /** Raised when all is forgotten: what is answered after that is not kept. */
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
    isReading /** What refused the last reading. */,
    failure /** They were read, and forgotten again because the page was hidden. */,
    wereCleared /** Reads versions that are not known yet; each is recorded in the audit trail. */,
    read,
  };
}
