import '@gatehouse/ui/styles.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reloadOnceForMissingChunks } from './lib/missing-chunk.ts';
import { router } from './router.tsx';

reloadOnceForMissingChunks();

const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
