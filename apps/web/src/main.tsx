import '@gatehouse/ui/styles.css';
import { fetchPart } from '@gatehouse/ui/lazy';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reloadOnceForMissingChunks } from './lib/missing-chunk.ts';

reloadOnceForMissingChunks();

const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root.');

// The sign-in page is a separate document: it loads neither the router nor the screens, and keeps nothing of
// the previous page.
const page =
  window.location.pathname === '/sign-in'
    ? await fetchPart(() => import('./sign-in/sign-in.tsx')).then(({ signInPage }) => signInPage())
    : await fetchPart(() => import('./console.tsx')).then(({ consolePages }) => consolePages());
createRoot(root).render(<StrictMode>{page}</StrictMode>);
