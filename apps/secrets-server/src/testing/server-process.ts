import { serveKillable } from '@gatehouse/service-kit/testing/killable';
import { createService } from '../app.ts';

/** A secrets server in a separate process that can be killed. */
await serveKillable(({ dataDir, accounts }) => createService({ dataDir, accounts }));
