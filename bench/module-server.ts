/** A module registry with many modules. Arguments: port to listen on, number of modules. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createService } from '@gatehouse/module-registry';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import { systemClock } from '@gatehouse/service-kit/clock';
import { listen } from '@gatehouse/service-kit/service';
import { largeModules } from '@gatehouse/stack/large-modules';

const [port, modules] = process.argv.slice(2);
const dataDir = process.env['GATEHOUSE_DATA'] ?? '';
mkdirSync(dataDir, { recursive: true });
const accounts = openAccounts({ file: join(dataDir, 'accounts.db'), clock: systemClock });
const service = await createService({
  dataDir,
  accounts,
  seed: largeModules(Number(modules)),
  rateLimit: { requests: { burst: 1e9, perSecond: 1e9 } },
});
await listen(service, { host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => process.exit(0));
