import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, Transport } from '../transport.ts';

/** A fixed text of the servers, with the console's words for it. */
interface FixedText {
  readonly says: RegExp;
  readonly code: ProblemCode;
  readonly means: string;
}

/** Texts that refuse a request as invalid, whatever the status, from Vault and OpenBao. */
const refusals: readonly FixedText[] = [
  {
    says: /check-and-set parameter (?:did|does) not match|metadata_cas must be 0/,
    code: 'conflict',
    means: 'This secret was changed after you opened it. Nothing was overwritten.',
  },
  {
    says: /check-and-set parameter required/,
    code: 'invalid-request',
    means:
      "Check-and-set is required here, and this write sent no version. Reload the page, then try again; users who can't read a secret's version can't write it here.",
  },
  {
    says: /JSON.{0,40}exceed|exceeds?.{0,40}JSON/i,
    code: 'invalid-request',
    means:
      "The secrets server refuses this: a text is too long, there are too many values, or they are nested too deeply. Split it into several secrets, or have an operator raise the listener's limits.",
  },
  {
    says: /too many members/,
    code: 'payload-too-large',
    means: 'This has more values than the secrets server accepts. Split it into several secrets.',
  },
  {
    says: /(?:value|key|entry) (?:being|is) too large|exceeds? max(?:imum)? (?:value|entry|key) size/i,
    code: 'payload-too-large',
    means: 'This is larger than the secrets server can store in one entry.',
  },
];

/** How many characters of a refusal are read: a server may repeat any length of what it was sent. */
const readLength = 2000;

/** The server's reasons for refusing a request. They may contain what was sent, so they must not be passed on. */
export function refusalTexts({ body }: Pick<ServiceAnswer, 'body'>): string {
  const errors: unknown = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : [];
  const texts = Array.isArray(errors) ? errors.filter((text) => typeof text === 'string') : [];
  return texts.join('\n').slice(0, readLength);
}

/** Maps an answer of 400 or more to an error. The answer's text isn't passed on. */
export function errorOf(answer: Pick<ServiceAnswer, 'status' | 'body'>, transport: Transport): ServiceError {
  const { status } = answer;
  const about = { environment: transport.environment, service: transport.service };
  const answered = { delivery: 'answered', status } as const;
  const text = status === 400 || status === 500 ? refusalTexts(answer) : '';
  const known = refusals.find(({ says }) => says.test(text));
  if (known !== undefined) {
    // Limits on complexity are not in bytes.
    const limit = known.code === 'payload-too-large' ? limitIn(text) : '';
    return new ServiceError(known.code, known.means + limit, about, answered);
  }
  switch (status) {
    case 400:
    case 405:
    case 415:
      return new ServiceError(
        'invalid-request',
        'The secrets server refused the request as invalid.',
        about,
        answered,
      );
    case 403:
      return new ServiceError(
        'forbidden',
        "Your policies on the secrets server don't allow this.",
        about,
        answered,
      );
    case 404:
      return new ServiceError('not-found', 'Nothing exists at this path.', about, answered);
    case 413:
      return new ServiceError(
        'payload-too-large',
        'This is larger than the secrets server accepts.',
        about,
        answered,
      );
    case 412:
    case 503:
      return new ServiceError(
        'service-unavailable',
        "The secrets server isn't accepting requests at the moment.",
        about,
        answered,
      );
    case 507:
      return new ServiceError('storage-full', 'The secrets server has no space left.', about, answered);
    default:
      return new ServiceError(
        'bad-answer',
        `The secrets server returned an error (status ${status}). Its log says why.`,
        about,
        { delivery: 'unknown', status },
      );
  }
}

/** The limit named in a text, as a sentence; empty without one. */
function limitIn(text: string): string {
  const limit = /\bmax(?:imum)?\b\D{0,20}(\d{1,12})\b/.exec(text)?.[1];
  return limit === undefined ? '' : ` The limit is ${Number(limit).toLocaleString('en')} bytes.`;
}
