import { flushCompileCache } from 'node:module';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import { listen } from '@gatehouse/service-kit/service';
import type { Listening } from '@gatehouse/service-kit/service';
import { createService } from '../app.ts';
import { testPassword } from './server.ts';

/** A box registry in a process of its own, to be killed. Its argument is its folder; it prints its address. */
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('the data folder is missing');
const accounts = openAccounts({
  file: `${dataDir}/accounts.db`,
  hashing: { cost: { memory: 64, passes: 1, parallelism: 1 } },
});
await accounts.ensureFirstAdministrator({ password: testPassword });
let server: Listening | undefined;
const service = await createService({ dataDir, accounts, publicUrl: () => server?.address ?? '' });
server = await listen(service, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${server.address}\n`);
// Being killed, it would never write what NODE_COMPILE_CACHE asks for: the next start is to be quicker.
flushCompileCache();
