import type { ConflictDetails } from '@gatehouse/api-types/console/problem';
import { useState } from 'react';
import { isApiError } from '#lib/api-error.ts';

export interface Guarded<Seen> {
  /** The record that the user saw when the question was opened. */
  readonly seen: Seen;
  /** The newer record from a conflict. */
  readonly newer: Seen | undefined;
  readonly isPending: boolean;
  /** Why it failed; null before an attempt and after success. */
  readonly error: unknown;
  /** Acts on the record that was last shown. */
  readonly run: () => void;
}

/** An action on a record that the user saw. If others changed it, the newer one is shown first. */
export function useGuarded<Seen, Result>(options: {
  /** The record in question. Later values are ignored, because the user hasn't seen them. */
  item: Seen;
  act: (seen: Seen) => Promise<Result>;
  /** The current record from a conflict. */
  newerOf: (conflict: ConflictDetails) => Seen | undefined;
  onDone?: (result: Result, seen: Seen) => void;
  /** Called if it has been deleted since. */
  onGone?: () => void;
}): Guarded<Seen> {
  const { act, newerOf, onDone, onGone } = options;
  const [seen] = useState(options.item);
  const [newer, setNewer] = useState<Seen>();
  const [state, setState] = useState<{ readonly isPending: boolean; readonly error: unknown }>(idle);
  return {
    seen,
    newer,
    ...state,
    run: () => {
      if (state.isPending) return;
      setState({ isPending: true, error: null });
      const now = newer ?? seen;
      act(now).then(
        (result) => {
          setState(idle);
          onDone?.(result, now);
        },
        (error: unknown) => {
          // A user who dismisses the password dialog knows that nothing was done.
          setState({ isPending: false, error: isApiError(error, 'confirmation-required') ? null : error });
          const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
          if (onGone && (isApiError(error, 'not-found') || conflict?.reason === 'deleted')) {
            onGone();
            return;
          }
          const found = conflict && newerOf(conflict);
          if (found !== undefined) setNewer(() => found);
        },
      );
    },
  };
}

const idle = { isPending: false, error: null };
