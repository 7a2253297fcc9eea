import { useState, type ReactNode } from 'react';

/** An edit that the person may begin; a right that is taken meanwhile is told when it is saved, and takes no edit away. */
export function OnceAllowed({
  reason,
  refused,
  children,
}: {
  /** Why it cannot be edited; undefined where it can. */
  reason: string | undefined;
  refused: (reason: string) => ReactNode;
  children: ReactNode;
}) {
  const [isBegun, setBegun] = useState(reason === undefined);
  if (!isBegun && reason === undefined) setBegun(true);
  return isBegun || reason === undefined ? children : refused(reason);
}
