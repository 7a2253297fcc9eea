import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import { createLog } from '@gatehouse/service-kit/log';
import { keyRingFromEnvironment } from '@gatehouse/service-kit/secret-box';
import { listen } from '@gatehouse/service-kit/service';
import type { Listening } from '@gatehouse/service-kit/service';
import { createService } from './app.ts';
import { imagesFromEnvironment } from './images/configured.ts';

/**
 * Starts the box registry alone, on loopback. Variables: GATEHOUSE_DATA (./data), GATEHOUSE_BOXES_PORT (8300; 0 for a free
 * one), GATEHOUSE_BOXES_PUBLIC_URL (where clients reach it, the address that it listens on unless given),
 * GATEHOUSE_ADMIN_PASSWORD (needed at the first start), GATEHOUSE_KEYS (a key ring, instead of a file in the data folder),
 * and those of images/configured.ts for images in an S3-compatible store.
 */
const dataDir = process.env['GATEHOUSE_DATA'] ?? './data';
const port = Number(process.env['GATEHOUSE_BOXES_PORT'] ?? '8300');
const publicUrl = process.env['GATEHOUSE_BOXES_PUBLIC_URL'];
const password = process.env['GATEHOUSE_ADMIN_PASSWORD'];
const keyRing = process.env['GATEHOUSE_KEYS'];
const drainDeadlineMs = 10_000;

const log = createLog({ service: 'boxes' });
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
const accounts = openAccounts({ file: join(dataDir, 'accounts.db') });
if (password !== undefined) await accounts.ensureFirstAdministrator({ password });
else if (accounts.list().length === 0)
  throw new Error('Set GATEHOUSE_ADMIN_PASSWORD: there is no account yet.');
const images = await imagesFromEnvironment(process.env);
let listening: Listening | undefined;
const service = await createService({
  dataDir,
  accounts,
  log,
  publicUrl: () => publicUrl ?? listening?.address ?? '',
  rateLimit: { authenticate: { burst: 30, perSecond: 0.5 } },
  ...(images !== undefined && { images }),
  ...(keyRing !== undefined && { keys: keyRingFromEnvironment('GATEHOUSE_KEYS', keyRing) }),
});
listening = await listen(service, { host: '127.0.0.1', port });
log.info('listening', { address: listening.address, port: listening.port });

let stopping = false;
const stop = async (signal: string): Promise<void> => {
  if (stopping) return;
  stopping = true;
  log.info('stopping', { signal });
  await listening?.drain(drainDeadlineMs);
  await service.close();
  await accounts.close();
};
process.on('SIGTERM', (signal) => void stop(signal));
process.on('SIGINT', (signal) => void stop(signal));
