import { entriesOf, lastByKey } from '@gatehouse/api-types/console/json-text';
import { useRef, useState } from 'react';
import { useForgetting } from '#lib/forgetting.ts';
import { readValues, type SecretPlace } from '#queries/secrets.ts';
import { repeatedNames } from './secret-values.ts';

/** The revealed fields of one version: only in memory, and only while you view the page. */
export interface RevealedFields {
  /** The JSON text of each revealed value, by field name. */
  readonly values: ReadonlyMap<string, string>;
  /** Repeated names in the data read so far. */
  readonly repeated: readonly string[];
  /** What is being read: one field, or all. */
  readonly reading: string | typeof allFields | undefined;
  readonly failure: unknown;
  /** Values were revealed, and masked when you left the page. */
  readonly wereCleared: boolean;
  /** Reads and reveals one field or all; recorded in the audit trail. */
  readonly reveal: (what: string | typeof allFields) => void;
  readonly mask: (what: string | typeof allFields) => void;
  /** Reads one field, or the stored data, to pass on without keeping or showing it. Also recorded. */
  readonly read: (what: string | typeof allFields) => Promise<string>;
}

export const allFields = Symbol('all fields');

const none: ReadonlyMap<string, string> = new Map();

export function useRevealedFields(place: SecretPlace, version: number): RevealedFields {
  const [values, setValues] = useState(none);
  const [repeated, setRepeated] = useState<readonly string[]>([]);
  const [reading, setReading] = useState<RevealedFields['reading']>();
  const [failure, setFailure] = useState<unknown>();
  const [wereCleared, setCleared] = useState(false);
  /** Increases when values are forgotten, so that later answers aren't kept. */
  const round = useRef(0);

  useForgetting(() => {
    round.current += 1;
    setReading(undefined);
    if (values.size > 0) setCleared(true);
    setValues(none);
  });

  /** Reads only the requested field, so that only it is in the page and in the audit trail. */
  const readData = async (what: string | typeof allFields): Promise<string> => {
    const { data } = await readValues(place, version, what === allFields ? undefined : [what]);
    if (data === null) throw new Error('The version was deleted, so its value can no longer be read.');
    return data;
  };

  const reveal = async (what: string | typeof allFields): Promise<void> => {
    const own = round.current;
    setReading(what);
    setFailure(undefined);
    setCleared(false);
    try {
      const data = await readData(what);
      if (own !== round.current) return;
      const found = lastByKey(entriesOf(data));
      setValues((before) => new Map([...before, ...found]));
      setRepeated((before) => [...new Set([...before, ...repeatedNames(data)])]);
    } catch (error) {
      if (own === round.current) setFailure(error);
    } finally {
      if (own === round.current) setReading(undefined);
    }
  };

  return {
    values,
    repeated,
    reading,
    failure,
    wereCleared,
    reveal: (what) => void reveal(what),
    mask: (what) => {
      setValues((before) =>
        what === allFields ? none : new Map([...before].filter(([name]) => name !== what)),
      );
    },
    read: async (what) => {
      const data = await readData(what);
      if (what === allFields) return data;
      const text = lastByKey(entriesOf(data)).get(what);
      if (text === undefined) throw new Error('The field no longer exists.');
      return text;
    },
  };
}
