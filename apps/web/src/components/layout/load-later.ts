import { afterPaint } from '@gatehouse/ui/after-paint';

/** Fetches what the page can stand without, after it stands. */
export async function loadLater() {
  await afterPaint();
  return import('./later.ts');
}
