import { useState } from 'react';

/**
 * A record while it is edited: it begins with the stored secrets now, not with what the page kept, follows what others do,
 * and stays when the record is gone, so that saving can say so.
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
