import { defineConfig } from 'rolldown';

// The server as `npm start` runs it: one file, so that the compile cache has one thing to read.
export default defineConfig({
  input: { start: 'apps/stack/src/start.ts' },
  platform: 'node',
  output: {
    dir: 'apps/stack/dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    cleanDir: true,
  },
});
