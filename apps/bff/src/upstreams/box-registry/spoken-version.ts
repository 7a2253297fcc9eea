/**
 * Detects the registry's API version by asking version 2 whose token it is. A registry with only version 1 doesn't have
 * that path. The result is remembered for a while.
 */
import { isAnswer, ServiceError } from '../service-error.ts';
import { apiPath, type ApiVersion, type BoxesCaller } from './client.ts';

/** How long the version is remembered, in milliseconds: the registry may be upgraded. */
const believedFor = 5 * 60_000;

/** @throws ServiceError if the registry doesn't respond */
export async function spokenVersion(caller: BoxesCaller): Promise<ApiVersion> {
  const { registry } = caller;
  if (registry.embedded) return 'v2';
  const now = registry.clock.now();
  const { spoken } = registry.known;
  if (spoken !== undefined && spoken.until > now) return spoken.version;
  let version: ApiVersion = 'v2';
  try {
    await caller.send({ method: 'GET', path: apiPath(caller, ['authenticate'], { version }) });
  } catch (error) {
    // This token isn't allowed to ask, which says nothing about the registry.
    if (isAnswer(error, 403)) return 'v1';
    if (!isAnswer(error, 200, 400, 404, 405, 422)) throw error;
    version = 'v1';
  }
  registry.known.spoken = { version, until: now + believedFor };
  return version;
}

/** Whether the registry supports several architectures of one provider. @throws ServiceError if it doesn't respond */
export async function knowsArchitectures(caller: BoxesCaller): Promise<boolean> {
  return (await spokenVersion(caller)) === 'v2';
}

/** The problem of an architecture at a registry without architectures. */
export function noArchitectures({ transport: { environment, service } }: BoxesCaller): ServiceError {
  return new ServiceError(
    'invalid-request',
    'This box registry speaks version 1 of the box API, which has one image for each provider and no architectures. Leave the architecture "unknown".',
    { environment, service },
    { delivery: 'not-sent' },
  );
}
