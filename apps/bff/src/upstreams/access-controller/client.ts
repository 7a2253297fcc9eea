import type { Guard } from '#ground/call.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import { errorOf } from './errors.ts';

export { isAnswer } from '../service-error.ts';

/** An access controller as configured for one environment. */
export interface AccessController {
  readonly transport: Transport;
  /** Whether this is the installation's own controller, rather than a Boundary. */
  readonly embedded: boolean;
  /** The ID of the password auth method; undefined where the configuration names none. */
  readonly authMethodId: string | undefined;
}

/** An access controller, called with a user's token. */
export type AccessCaller = ReturnType<typeof callAs>;

/** The user's token, and what is sent with each of their requests. */
export interface CallerOptions {
  readonly token: string;
  readonly guard?: Guard | undefined;
  readonly signal?: AbortSignal;
  /** Called when the controller no longer accepts the token. */
  readonly onRefused?: () => Promise<void>;
}

/** Calls the access controller with a user's token. */
export function callAs(controller: AccessController, options: CallerOptions) {
  const { transport } = controller;
  const headers = { authorization: `Bearer ${options.token}` };
  return {
    transport,
    /** Sends a request with the user's token. @throws ServiceError unless the answer is 200–299 */
    async send(request: Omit<ServiceRequest, 'headers'>): Promise<ServiceAnswer> {
      const answer = await transport.send({
        ...request,
        headers,
        guard: options.guard,
        ...(request.method === 'GET' && options.signal !== undefined && { signal: options.signal }),
      });
      if (answer.status < 300) return answer;
      const error = errorOf(answer, controller, request.path);
      if (answer.status === 401) await options.onRefused?.();
      throw error;
    },
  };
}

/** Sends a request without a token. @throws ServiceError unless the answer is 200–299 */
export async function callAnonymously(
  controller: AccessController,
  request: ServiceRequest,
): Promise<ServiceAnswer> {
  const answer = await controller.transport.send(request);
  if (answer.status < 300) return answer;
  throw errorOf(answer, controller, request.path);
}
