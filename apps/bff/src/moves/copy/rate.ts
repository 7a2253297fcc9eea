/** The recent rate in bytes per second, by the monotonic clock. */

/** Length of the measured period, in milliseconds. */
const windowMs = 15_000;

export function createRate(): { readonly add: (bytes: number) => void; readonly now: () => number | null } {
  let samples: { at: number; bytes: number }[] = [];
  const recent = (): void => {
    const since = performance.now() - windowMs;
    samples = samples.filter(({ at }) => at >= since);
  };
  return {
    add(bytes) {
      const at = performance.now();
      if (samples.length > 100) recent();
      const last = samples.at(-1);
      if (last !== undefined && at - last.at < 250) last.bytes += bytes;
      else samples.push({ at, bytes });
    },
    now() {
      recent();
      const [first] = samples;
      if (first === undefined) return null;
      const sum = samples.reduce((total, { bytes }) => total + bytes, 0);
      return sum / Math.max(0.25, (performance.now() - first.at) / 1_000);
    },
  };
}
