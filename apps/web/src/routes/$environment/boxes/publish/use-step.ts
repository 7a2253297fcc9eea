import { useRef, useState } from 'react';

export type StepRun = ReturnType<typeof useStep>;

/** Runs one action of a step at a time. */
export function useStep() {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const left = useRef(false);
  return {
    isPending,
    failure,
    /** Runs an action and keeps its error. @returns whether it succeeded */
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
    /** Leaves the step without a question about unsaved changes, because they are saved. */
    leave: (go: () => void): void => {
      left.current = true;
      go();
    },
    hasLeft: (): boolean => left.current,
  };
}
