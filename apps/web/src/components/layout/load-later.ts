import { afterPaint } from '@gatehouse/ui/after-paint';
import { lazy } from '@gatehouse/ui/lazy';
import type * as Later from './later.ts';

/** A component that the page doesn't need at first, loaded after the first paint. */
export function later<Name extends keyof typeof Later>(name: Name) {
  return lazy(async () => {
    await afterPaint();
    return { default: (await import('./later.ts'))[name] };
  });
}
