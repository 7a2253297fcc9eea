import { useState } from 'react';

/**
 * The record of an edit: begins with a fresh value, not a cached one; follows others' changes; and stays if
 * the record is deleted, so that saving can report it.
 */
export function useEdited<Item>({
  data,
  isStale,
}: {
  readonly data: Item | undefined;
  readonly isStale: boolean;
}): Item | undefined {
  const [known, setKnown] = useState<Item>();
  if (data !== undefined && data !== known && (known !== undefined || !isStale)) setKnown(() => data);
  return known;
}
