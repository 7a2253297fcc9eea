import { useState, type ReactNode } from 'react';

/**
 * What an edit began with, and what is there now. When it is gone the last that was known stays: the edit is not lost
 * with it, and saving says what happened.
 */
export function Kept<Item>({
  item,
  missing,
  children,
}: {
  item: Item | undefined;
  /** Shown where there never was one. */
  missing: ReactNode;
  children: (item: Item) => ReactNode;
}) {
  const [last, setLast] = useState(item);
  if (item !== undefined && item !== last) setLast(item);
  const known = item ?? last;
  return known === undefined ? missing : children(known);
}
