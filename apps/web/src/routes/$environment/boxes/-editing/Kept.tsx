import { useState, type ReactNode } from 'react';

/** Keeps the last known item after it is deleted, so that the edit isn't lost. Saving then reports the deletion. */
export function Kept<Item>({
  item,
  missing,
  children,
}: {
  item: Item | undefined;
  /** Shown if the item was never found. */
  missing: ReactNode;
  children: (item: Item) => ReactNode;
}) {
  const [last, setLast] = useState(item);
  if (item !== undefined && item !== last) setLast(item);
  const known = item ?? last;
  return known === undefined ? missing : children(known);
}
