// npm run dev, below `node --watch`: the server is started again when one of its sources changes, the page is
// replaced in place by Vite.
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
