import { serveKillable } from '@gatehouse/service-kit/testing/killable';
import { createService } from '../app.ts';

/** A box registry in a process of its own, to be killed. */
await serveKillable(({ dataDir, accounts, address }) =>
  createService({ dataDir, accounts, publicUrl: address }),
);
