import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import { ServiceError } from './service-error.ts';
import type { Transport } from './transport.ts';

/** Maps a registry's answer of 400 or more to an error. The answer's text isn't passed on. */
export function errorOf(
  { status }: { readonly status: number },
  { environment, service }: Transport,
): ServiceError {
  const registry = service === 'boxes' ? 'box registry' : 'module registry';
  const answered = (code: ProblemCode, detail: string): ServiceError =>
    new ServiceError(code, detail, { environment, service }, { delivery: 'answered', status });
  switch (status) {
    case 400:
    case 405:
    case 406:
    case 409:
    case 412:
    case 415:
    case 422:
      return answered('invalid-request', `The ${registry} refused the request as invalid.`);
    case 401:
    case 403:
      return answered('forbidden', `Your account at the ${registry} isn't allowed to do this.`);
    case 404:
    case 410:
      return answered(
        'not-found',
        `The ${registry} doesn't have this, or it is private and you aren't allowed to see it.`,
      );
    case 413:
      return answered('payload-too-large', `This is larger than the ${registry} accepts.`);
    case 503:
      return answered(
        'service-unavailable',
        `The ${registry} is busy or unavailable. Try again in a few minutes.`,
      );
    case 507:
      return answered('storage-full', `The ${registry} has no space left.`);
    default:
      return new ServiceError(
        'bad-answer',
        `The ${registry} returned an error (status ${status}).`,
        { environment, service },
        { delivery: 'unknown', status },
      );
  }
}
