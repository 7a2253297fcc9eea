import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { settled } from './lib/settled.ts';
import { router } from './router.tsx';

/** The longest that the first drawing waits for rows, in ms: to draw without them and once more with them takes longer. */
const mostMs = 200;

/** Every screen of somebody who is signed in, as soon as the first one is loaded. */
export async function consolePages(): Promise<ReactNode> {
  await router.load();
  await settled(mostMs);
  return <RouterProvider router={router} />;
}
