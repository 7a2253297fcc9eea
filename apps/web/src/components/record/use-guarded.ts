import type { ConflictDetails } from '@gatehouse/api-types/console/problem';
import { useState } from 'react';
import { isApiError } from '#lib/api-error.ts';

export interface Guarded<Seen> {
  /** What the person looked at when they were asked. */
  readonly seen: Seen;
  /** What a conflict told of it since. */
  readonly newer: Seen | undefined;
  readonly isPending: boolean;
  /** Why it was not done; null where nothing was tried or it was done. */
  readonly error: unknown;
  /** Does it to what was seen last. */
  readonly run: () => void;
}

/** Something that is done to a record as the person saw it. What others changed meanwhile is shown before it is done to that. */
export function useGuarded<Seen, Result>(options: {
  /** What is asked about. Later values are ignored: the page behind may have heard of a change that nobody has looked at. */
  item: Seen;
  act: (seen: Seen) => Promise<Result>;
  /** What a conflict tells of the record as it is now. */
  newerOf: (conflict: ConflictDetails) => Seen | undefined;
  onDone?: (result: Result, seen: Seen) => void;
  /** It was deleted meanwhile. */
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
          // Who closes the question for the password knows that nothing was done.
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
