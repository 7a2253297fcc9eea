import { uiMount } from '@gatehouse/api-types/services/secrets-server';
import { ProblemError } from '#ground/problem.ts';
import { buildPath } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import type { Transport } from '../transport.ts';
import { isAnswer, type SecretsCaller } from './client.ts';

/** What a server tells of one engine. */
interface ToldEngine {
  readonly type: string;
  readonly options?: Readonly<Record<string, unknown>> | null | undefined;
}

/** How long an engine is believed to be of the kind that it was found to be, in milliseconds: it may be replaced. */
const believedFor = 15_000;

/**
 * An engine of another kind may take an address below it for the name of a key, and store what is sent as its value: so
 * nothing is sent to one.
 * @param fits whether an engine is of the kind
 * @param refusal what a person reads about one that is not
 * @returns the check of an engine by its mount, which throws ProblemError `invalid-request`
 */
export function engineCheck(
  fits: (engine: ToldEngine) => boolean,
  refusal: string,
): (caller: SecretsCaller, mount: string) => Promise<void> {
  /** When engines were last found to be of the kind, by server. */
  const checked = new WeakMap<Transport, Map<string, number>>();
  return async (caller, mount) => {
    const { transport } = caller;
    const known = checked.get(transport) ?? new Map<string, number>();
    checked.set(transport, known);
    const asked = caller.now();
    if (asked - (known.get(mount) ?? -Infinity) < believedFor) return;
    try {
      const path = buildPath(`${transport.prefix}/v1/sys/internal/ui/mounts`, mount.split('/'));
      const { data } = transport.parse(uiMount, await caller.send({ method: 'GET', path }));
      if (!fits(data)) {
        throw new ProblemError('invalid-request', refusal, {
          service: transport.service,
          environment: transport.environment,
        });
      }
      known.set(mount, asked);
    } catch (error) {
      // Where it is not told, the request itself will be refused or is right.
      if (isAnswer(error, 400, 403, 404)) return;
      if (!(error instanceof ServiceError)) throw error;
      // Whatever became of the question: nothing was sent to the engine.
      const { environment, service } = transport;
      throw new ServiceError(
        error.code,
        error.message,
        { ...error.init, environment, service, cause: error },
        { delivery: 'not-sent', ...(error.serviceStatus !== undefined && { status: error.serviceStatus }) },
      );
    }
  };
}

/** An engine of the first version would take the address of a version for the name of a key. */
export const checkVersioned = engineCheck(
  ({ type, options }) => type === 'kv' && String(options?.['version']) === '2',
  'This engine keeps no versions: the console does not write to it.',
);

/** Whether a plugin is a cloud credentials engine, as far as its name says so. */
export function isCloudPlugin(name: string): boolean {
  return name === 'cloud' || name === 'aws' || /secrets-(?:aws|cloud)/.test(name);
}

export const checkCloud = engineCheck(
  ({ type }) => isCloudPlugin(type),
  'There is no cloud credentials engine at this path.',
);
