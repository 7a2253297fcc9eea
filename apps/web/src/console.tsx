import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { settled } from './lib/settled.ts';
import { router } from './router.tsx';

/** How long the first render waits for rows, in ms: rendering twice would take longer. */
const mostMs = 200;

/** All screens for signed-in users, once the first one is loaded. */
export async function consolePages(): Promise<ReactNode> {
  await router.load();
  await settled(mostMs);
  return <RouterProvider router={router} />;
}
