import { ServiceError } from '../service-error.ts';
import type { Transport } from '../transport.ts';

/** The error that an answer of 400 or more stands for. The text of the answer stays here. */
export function errorOf({ status }: { readonly status: number }, transport: Transport): ServiceError {
  const about = { environment: transport.environment, service: transport.service };
  const answered = { delivery: 'answered', status } as const;
  switch (status) {
    case 400:
    case 405:
    case 406:
    case 409:
    case 412:
    case 415:
    case 422:
      return new ServiceError(
        'invalid-request',
        'The module registry refused the request as not valid.',
        about,
        answered,
      );
    case 401:
    case 403:
      return new ServiceError(
        'forbidden',
        'Your account at the module registry may not do this.',
        about,
        answered,
      );
    case 404:
    case 410:
      return new ServiceError(
        'not-found',
        'There is no such thing at the module registry, or it is private and you may not see it.',
        about,
        answered,
      );
    case 413:
      return new ServiceError(
        'payload-too-large',
        'This is larger than the module registry takes.',
        about,
        answered,
      );
    case 503:
      return new ServiceError(
        'service-unavailable',
        'The module registry does not take requests at the moment.',
        about,
        answered,
      );
    case 507:
      return new ServiceError('storage-full', 'The module registry has no space left.', about, answered);
    default:
      return new ServiceError(
        'bad-answer',
        `The module registry failed to answer (status ${status}).`,
        about,
        { delivery: 'unknown', status },
      );
  }
}
