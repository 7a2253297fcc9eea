import type { Guard } from '#ground/call.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import { errorOf } from './errors.ts';

/** One access controller, as one environment is configured with it. */
export interface AccessController {
  readonly transport: Transport;
  /** Whether it is the one of this installation, and not a controller of the field. */
  readonly embedded: boolean;
  /** The auth method for passwords, where the configuration names one. */
  readonly authMethodId: string | undefined;
}

/** An access controller, asked in the name of a person. */
export type AccessCaller = ReturnType<typeof callAs>;

/** Whose token is used, and what goes along with each of its requests. */
export interface CallerOptions {
  readonly token: string;
  readonly guard?: Guard | undefined;
  readonly signal?: AbortSignal;
  /** Told when the controller does not accept the token any more. */
  readonly onRefused?: () => Promise<void>;
}

/** The access controller as a person with a token sees it. */
export function callAs(controller: AccessController, options: CallerOptions) {
  const { transport } = controller;
  const headers = { authorization: `Bearer ${options.token}` };
  return {
    transport,
    /**
     * Sends a request with the person's token.
     * @throws ServiceError for everything that is not an answer of 200–299
     */
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

/** Asks without a token. @throws ServiceError for everything that is not an answer of 200–299 */
export async function callAnonymously(
  controller: AccessController,
  request: ServiceRequest,
): Promise<ServiceAnswer> {
  const answer = await controller.transport.send(request);
  if (answer.status < 300) return answer;
  throw errorOf(answer, controller, request.path);
}

/** Whether an error is the controller's answer with one of these statuses. */
export function isAnswer(error: unknown, ...statuses: readonly number[]): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.serviceStatus !== undefined &&
    statuses.includes(error.serviceStatus)
  );
}
