import { afterPaint } from '@gatehouse/ui/after-paint';

/** Loads what the page doesn't need at first, after the first paint. */
export async function loadLater() {
  await afterPaint();
  return import('./later.ts');
}
