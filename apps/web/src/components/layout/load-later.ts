import { afterPaint } from '@gatehouse/ui/after-paint';

/** Fetches what the page can stand without, after it stands. */
export async function loadLater(): Promise<typeof import('./later.ts')> {
  await afterPaint();
  return import('./later.ts');
}
