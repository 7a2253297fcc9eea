import { useState } from 'react';

/**
 * The value that was shown when a question was opened, because the user hasn't seen later ones. A cached
 * value is shown until it is read again.
 */
export function useAsked<Item>(data: Item, isStale: boolean): Item {
  const [asked, setAsked] = useState<Item>();
  if (asked === undefined && data !== undefined && !isStale) setAsked(() => data);
  return asked ?? data;
}
