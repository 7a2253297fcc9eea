import { useRef, useState } from 'react';

export interface StepRun {
  readonly isPending: boolean;
  readonly failure: unknown;
  /** Does something and keeps why it failed. @returns whether it was done */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Goes on: what was typed is saved by now, so that nothing asks about it. */
  readonly leave: (go: () => void) => void;
  readonly hasLeft: () => boolean;
}

/** The one thing that a step does at a time. */
export function useStep(): StepRun {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const left = useRef(false);
  return {
    isPending,
    failure,
    run: async (work) => {
      setPending(true);
      setFailure(undefined);
      try {
        await work();
        return true;
      } catch (error) {
        setFailure(error);
        return false;
      } finally {
        setPending(false);
      }
    },
    leave: (go) => {
      left.current = true;
      go();
    },
    hasLeft: () => left.current,
  };
}
