// npm run dev, below `node --watch`: the server restarts when one of its sources changes, and Vite replaces the page's
// modules in place.
import { createServer } from 'vite';
import { start } from '../apps/stack/src/start.ts';
import { inRoot, root } from './folders.mjs';

await start({
  mode: 'dev',
  root,
  page: async (server) => {
    const vite = await createServer({
      root: inRoot('apps', 'web'),
      configFile: inRoot('apps', 'web', 'vite.config.ts'),
      configLoader: 'native',
      server: { middlewareMode: true, ws: { server } },
    });
    return { handler: vite.middlewares, close: () => vite.close() };
  },
});
