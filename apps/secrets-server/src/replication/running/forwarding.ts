import { largeTurns } from '@gatehouse/service-kit/body-turns';
import { turns } from '@gatehouse/service-kit/turns';
import type { InTurn } from '@gatehouse/service-kit/turns';
import { currentAsker, currentConditions, tryPrepared } from '@gatehouse/service-kit/write-queue';
import type { Request } from '../../core/backend.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Forwarder } from '../../http/pipeline.ts';
import { NoPrimary } from '../link/types.ts';
import type { ForwardedRequest } from '../link/types.ts';
import type { Runtime } from './runtime.ts';

/** Most short writes that are forwarded at once, of all users and of one. */
const shortWrites = { atOnce: 40, ownAtOnce: 12 };

/** The longest body of a short write, in characters. */
const shortLength = 64 * 1024;

const unlimited = { mostOwn: Infinity, mostWaiting: Infinity };

/**
 * Turns of forwarded writes by length. What one user has on its way delays the others' writes: on the connection, and
 * in the stream that brings them back. In total, they leave some of the connection's 64 calls free; further calls would
 * wait for others' within their time limit.
 */
function turnsByLength(): (length: number) => InTurn {
  const short = turns({ ...shortWrites, ...unlimited });
  const long = largeTurns(unlimited);
  return (length) => (length <= shortLength ? short : long);
}

export function forwarderOf(runtime: Pick<Runtime, 'role' | 'following'>): Forwarder {
  const inTurn = turnsByLength();
  return {
    get active() {
      return runtime.role.mode === 'secondary';
    },
    async pass(request, body) {
      const { following } = runtime;
      if (following === undefined) {
        throw new Refusal(503, [
          'this cluster is a secondary without a primary. Nothing was changed. It accepts changes again when it has a primary or is promoted.',
        ]);
      }
      const { judge, begun } = currentConditions();
      try {
        const {
          status,
          headers,
          body: text,
        } = await tryPrepared(() =>
          inTurn(body.length)(currentAsker(), async () => {
            judge();
            begun();
            return following.forward(forwardedOf(request, body));
          }),
        );
        return { status, headers, text };
      } catch (error) {
        if (error instanceof NoPrimary) throw unreachable(error);
        throw error;
      }
    },
  };
}

/** 503 if nothing was changed; 504 if the outcome is unknown, so that the answer can't be mistaken for a refusal. */
function unreachable({ message, done }: NoPrimary): Refusal {
  if (done === 'no')
    return new Refusal(503, [`${message} Nothing was changed. Try again.`], { 'Retry-After': '5' });
  return new Refusal(504, [`${message} Check whether it was written before you try again.`]);
}

/** The HTTP methods of forwarded operations. */
const methods: Readonly<Record<Request['operation'], string>> = {
  create: 'POST',
  update: 'POST',
  patch: 'PATCH',
  delete: 'DELETE',
  read: 'GET',
  list: 'LIST',
};

function forwardedOf(request: Request, body: string): ForwardedRequest {
  const { namespace, operation, fullPath, query, contentType, caller, wrapTtl } = request;
  const path = fullPath.split('/').map(encodeURIComponent).join('/');
  return {
    namespace,
    method: methods[operation],
    path: query.size === 0 ? path : `${path}?${query}`,
    body,
    contentType,
    policies: caller?.policies ?? [],
    displayName: caller?.displayName ?? '',
    owner: currentAsker(),
    callerNamespace: caller?.namespace ?? '',
    wrapTtl: wrapTtl ?? 0,
  };
}
