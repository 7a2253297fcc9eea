import { serveKillable } from '@gatehouse/service-kit/testing/killable';
import { createService } from '../app.ts';

/** A secrets server in a separate process that can be killed, with short times for cloud engines. */
await serveKillable(({ dataDir, accounts }) =>
  createService({
    dataDir,
    accounts,
    cloudEnvironment: {},
    cloudTimes: { sweep: 100, retry: { first: 200, longest: 1000 }, settled: 1500, keyTrials: [] },
  }),
);
