import { serveKillable } from '@gatehouse/service-kit/testing/killable';
import { createService } from '../app.ts';
import { quickReplication } from './server.ts';

/** A secrets server with replication in a separate process that can be killed. */
await serveKillable(({ dataDir, accounts, address }) =>
  createService({ dataDir, accounts, apiAddress: address, replicationTimes: quickReplication }),
);
