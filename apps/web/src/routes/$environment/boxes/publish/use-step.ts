import { useRef, useState } from 'react';

export type StepRun = ReturnType<typeof useStep>;

/** The one thing that a step does at a time. */
export function useStep() {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const left = useRef(false);
  return {
    isPending,
    failure,
    /** Does something and keeps why it failed. @returns whether it was done */
    run: async (work: () => Promise<unknown>): Promise<boolean> => {
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
    /** Goes on: what was typed is saved by now, so that nothing asks about it. */
    leave: (go: () => void): void => {
      left.current = true;
      go();
    },
    hasLeft: (): boolean => left.current,
  };
}
