import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runEach } from './run-each.ts';

test('handles each item once, within the limit of parallel work, and begins none after the signal', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.nat(20),
      fc.integer({ min: 1, max: 6 }),
      fc.nat(25),
      async (scheduler, count, parallel, stopAfter) => {
        const items = Array.from({ length: count }, (_, index) => index);
        const abort = new AbortController();
        const begun: number[] = [];
        let underWay = 0;
        let most = 0;
        const finished: number[] = [];
        const run = runEach(
          items,
          parallel,
          async (item) => {
            begun.push(item);
            underWay += 1;
            most = Math.max(most, underWay);
            await scheduler.schedule(Promise.resolve());
            underWay -= 1;
            finished.push(item);
            if (finished.length === stopAfter) abort.abort();
          },
          abort.signal,
        );
        await scheduler.waitFor(run);
        expect(most).toBeLessThanOrEqual(parallel);
        expect(begun).toEqual(items.slice(0, begun.length));
        // Work that began is finished, even after the signal.
        expect(new Set(finished)).toEqual(new Set(begun));
        if (stopAfter === 0 || stopAfter > count) expect(begun).toEqual(items);
        else expect(begun.length).toBeLessThan(stopAfter + parallel);
      },
    ),
  );
});
