import { uiMount } from '@gatehouse/api-types/services/secrets-server';
import { ProblemError } from '#ground/problem.ts';
import { buildPath } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import type { Transport } from '../transport.ts';
import { isAnswer, type SecretsCaller } from './client.ts';

/** Engines that were found to keep versions, by server: they do not stop to. */
const versioned = new WeakMap<Transport, Set<string>>();

/**
 * An engine of the first version would take the address of a version for the name of a key, and store the envelope as
 * its value: so nothing is written to one.
 * @throws ProblemError `invalid-request` for an engine without versions
 */
export async function checkVersioned(caller: SecretsCaller, mount: string): Promise<void> {
  const { transport } = caller;
  const known = versioned.get(transport) ?? new Set();
  versioned.set(transport, known);
  if (known.has(mount)) return;
  try {
    const path = buildPath(`${transport.prefix}/v1/sys/internal/ui/mounts`, mount.split('/'));
    const { data } = transport.parse(uiMount, await caller.send({ method: 'GET', path }));
    if (data.type !== 'kv' || String(data.options?.['version']) !== '2') {
      throw new ProblemError(
        'invalid-request',
        'This engine keeps no versions: the console does not write to it.',
        {
          service: transport.service,
          environment: transport.environment,
        },
      );
    }
    known.add(mount);
  } catch (error) {
    // Where it is not told, the write itself will be refused or is right.
    if (isAnswer(error, 400, 403, 404)) return;
    if (!(error instanceof ServiceError)) throw error;
    // Whatever became of the question: nothing was written.
    const { environment, service } = transport;
    throw new ServiceError(
      error.code,
      error.message,
      { ...error.init, environment, service, cause: error },
      { delivery: 'not-sent', ...(error.serviceStatus !== undefined && { status: error.serviceStatus }) },
    );
  }
}
