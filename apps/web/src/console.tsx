import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { router } from './router.tsx';

/** Every screen of somebody who is signed in. */
export function consolePages(): ReactNode {
  return <RouterProvider router={router} />;
}
