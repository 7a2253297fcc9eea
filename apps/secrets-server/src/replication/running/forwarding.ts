import { turns } from '@gatehouse/service-kit/turns';
import { currentAsker } from '@gatehouse/service-kit/write-queue';
import type { Request } from '../../core/backend.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Forwarder } from '../../http/pipeline.ts';
import { NoPrimary } from '../link/types.ts';
import type { ForwardedRequest } from '../link/types.ts';
import type { Runtime } from './runtime.ts';

/**
 * Writes that are forwarded at once, of all users and of one. A primary accepts 64 calls on a connection, and further
 * ones would wait for others' within their time limit.
 */
const forwards = { atOnce: 48, ownAtOnce: 12 };

export function forwarderOf(runtime: Pick<Runtime, 'role' | 'following'>): Forwarder {
  const inTurn = turns({ ...forwards, mostOwn: Infinity, mostWaiting: Infinity });
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
      try {
        const {
          status,
          headers,
          body: text,
        } = await inTurn(currentAsker(), () => following.forward(forwardedOf(request, body)));
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
    callerNamespace: caller?.namespace ?? '',
    wrapTtl: wrapTtl ?? 0,
  };
}
