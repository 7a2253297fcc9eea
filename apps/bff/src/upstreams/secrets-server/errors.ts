import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, Transport } from '../transport.ts';

/** The error that an answer of 400 or more stands for. The text of the answer stays here. */
export function errorOf({ status }: ServiceAnswer, transport: Transport): ServiceError {
  const about = { environment: transport.environment, service: transport.service };
  const answered = { delivery: 'answered', status } as const;
  switch (status) {
    case 400:
    case 405:
    case 415:
      return new ServiceError(
        'invalid-request',
        'The secrets server refused the request as not valid.',
        about,
        answered,
      );
    case 403:
      return new ServiceError(
        'forbidden',
        'The policies of your token at the secrets server do not allow this.',
        about,
        answered,
      );
    case 404:
      return new ServiceError('not-found', 'There is nothing at this path.', about, answered);
    case 413:
      return new ServiceError(
        'payload-too-large',
        'This is larger than the secrets server takes.',
        about,
        answered,
      );
    case 412:
    case 503:
      return new ServiceError(
        'service-unavailable',
        'The secrets server does not take requests at the moment.',
        about,
        answered,
      );
    default:
      return new ServiceError(
        'bad-answer',
        `The secrets server failed to answer (status ${status}).`,
        about,
        { delivery: 'unknown', status },
      );
  }
}
