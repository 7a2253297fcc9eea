import { entriesOf, lastByKey } from '@gatehouse/api-types/console/json-text';
import { useRef, useState } from 'react';
import { useForgetting } from '#lib/forgetting.ts';
import { readValues, type SecretPlace } from '#queries/secrets.ts';
import { repeatedNames } from './secret-values.ts';

/** What of one version is shown: in memory alone, and only for as long as it is looked at. */
export interface RevealedFields {
  /** The JSON text of each value that is shown, by the name of its field. */
  readonly values: ReadonlyMap<string, string>;
  /** Names that the data holds more than once, as far as it was read. */
  readonly repeated: readonly string[];
  /** What is being read: one field, or all. */
  readonly reading: string | typeof allFields | undefined;
  readonly failure: unknown;
  /** Values were shown, and were masked because nobody looked at the page. */
  readonly wereCleared: boolean;
  /** Reads and shows one field or all; recorded in the audit trail. */
  readonly reveal: (what: string | typeof allFields) => void;
  readonly mask: (what: string | typeof allFields) => void;
  /** Reads one field, or the data as it is stored, to be handed on; nothing of it is kept or shown. Recorded too. */
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
  /** Raised when all is forgotten: what is answered after that is not kept. */
  const round = useRef(0);

  useForgetting(() => {
    round.current += 1;
    setReading(undefined);
    if (values.size > 0) setCleared(true);
    setValues(none);
  });

  /** Nothing but what is wanted comes into the page, and the trail says what it was. */
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
