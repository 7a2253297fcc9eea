import '../src/styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Gallery } from '../src/gallery/Gallery.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root.');
createRoot(root).render(
  <StrictMode>
    <Gallery hasToastRegion />
  </StrictMode>,
);
