import { Slices } from '../slices.ts';

/**
 * Holds the next work of this process whose `Slices` give way for the nth time, as if a slice were over then.
 * @param call counted from 1; requests that wait before they are judged do so with `Slices` that give way only once
 * @returns once it is held, a function that lets it continue
 */
export function holdNextSlice(call = 2): Promise<() => void> {
  const giveWay = Object.getOwnPropertyDescriptor(Slices.prototype, 'giveWay')?.value as () => Promise<void>;
  const { promise, resolve } = Promise.withResolvers<() => void>();
  const calls = new WeakMap<Slices, number>();
  Slices.prototype.giveWay = async function hold(this: Slices) {
    const made = (calls.get(this) ?? 0) + 1;
    calls.set(this, made);
    if (made < call) return giveWay.call(this);
    Slices.prototype.giveWay = giveWay;
    await new Promise<void>((release) => {
      resolve(release);
    });
    // The first slice waits for a turn in any case.
    return new Slices(() => false, this.asker).giveWay();
  };
  return promise;
}
