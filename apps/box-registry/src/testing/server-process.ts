import { serveKillable } from '@gatehouse/service-kit/testing/killable';
import { createService } from '../app.ts';

/** Runs a box registry in its own process, which tests can kill. */
await serveKillable(({ dataDir, accounts, address }) =>
  createService({ dataDir, accounts, publicUrl: address }),
);
