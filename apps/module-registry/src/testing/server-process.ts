import { serveKillable } from '@gatehouse/service-kit/testing/killable';
import { createService } from '../app.ts';

/** A module registry in a process of its own, to be killed. */
await serveKillable(({ dataDir, accounts }) => createService({ dataDir, accounts }));
