import { health } from '@gatehouse/api-types/services/registry';
import { errorOf } from './registry-error.ts';
import type { Transport } from './transport.ts';

/** Reads an embedded registry's health. @throws ServiceError if the registry doesn't respond */
export async function readHealth(
  transport: Transport,
): Promise<{ readonly version: string; readonly storeReachable: boolean }> {
  const answer = await transport.send({ method: 'GET', path: `${transport.prefix}/health` });
  if (answer.status >= 300) throw errorOf(answer, transport);
  const { version, store_reachable = true } = await transport.parse(health, answer);
  return { version, storeReachable: store_reachable };
}
