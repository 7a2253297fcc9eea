import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Serves the gallery during development: `vite --config gallery/vite.config.ts` in packages/ui.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react({ jsxImportSource: '@gatehouse/ui' }), tailwindcss()],
  build: { outDir: '../dist/gallery', emptyOutDir: true },
});
