import { serveKillable } from '@gatehouse/service-kit/testing/killable';
import { createService } from '../app.ts';

/** Runs a controller in its own process, which tests can kill. */
await serveKillable(({ dataDir, accounts }) => createService({ dataDir, accounts }));
