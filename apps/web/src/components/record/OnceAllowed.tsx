import { useState, type ReactNode } from 'react';

/** An edit that the user may begin. If the right is lost during the edit, only saving reports it. */
export function OnceAllowed({
  reason,
  refused,
  children,
}: {
  /** Why it can't be edited; undefined if it can. */
  reason: string | undefined;
  refused: (reason: string) => ReactNode;
  children: ReactNode;
}) {
  const [isBegun, setBegun] = useState(reason === undefined);
  if (!isBegun && reason === undefined) setBegun(true);
  return isBegun || reason === undefined ? children : refused(reason);
}
