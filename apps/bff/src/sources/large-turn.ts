import type { InTurn } from '@gatehouse/service-kit/turns';

/** An item with more versions and pieces is large: an answer of 256 KiB has some 1,000. */
export const largeRows = 1_000;

/** A turn for work that may turn out to be large, which lasts until the work is over and its memory is free. */
export interface LargeTurn extends Disposable {
  readonly isTaken: boolean;
  /** Waits for the turn, if it isn't taken yet. @throws the signal's reason once it is aborted */
  take(): Promise<void>;
}

export function largeTurn(inTurn: InTurn, owner: string, signal: AbortSignal): LargeTurn {
  const over = Promise.withResolvers<void>();
  let taking: Promise<void> | undefined;
  let isTaken = false;
  return {
    get isTaken() {
      return isTaken;
    },
    take() {
      taking ??= new Promise((resolve, reject) => {
        const work = (): Promise<void> => {
          isTaken = true;
          resolve();
          return over.promise;
        };
        inTurn(owner, work, signal).catch(reject);
      });
      return taking;
    },
    [Symbol.dispose]: () => over.resolve(),
  };
}
