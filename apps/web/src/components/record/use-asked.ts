import { useState } from 'react';

/**
 * What was shown when something was asked about it: what is read later nobody has looked at. What the page kept from
 * before is shown until it is read again.
 */
export function useAsked<Item>(data: Item, isStale: boolean): Item {
  const [asked, setAsked] = useState<Item>();
  if (asked === undefined && data !== undefined && !isStale) setAsked(() => data);
  return asked ?? data;
}
