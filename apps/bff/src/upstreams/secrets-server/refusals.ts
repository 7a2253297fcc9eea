/**
 * Maps the secrets server's refusals to the console's words. The server's texts may contain what was sent or what a
 * provider answered, so they aren't passed on.
 */
import type { FieldProblem, ProblemCode } from '@gatehouse/api-types/console/problem';
import { ServiceError, type Delivery } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import type { SecretsCaller } from './client.ts';
import { errorOf, refusalTexts } from './errors.ts';

/** A reason for refusing a request. */
export interface RefusalRule {
  /** Matches the server's text. */
  readonly says: RegExp;
  /** The text that the user reads. */
  readonly means: string;
  /** The field that caused the refusal. */
  readonly field?: string;
  /** Default: `invalid-request`. */
  readonly code?: ProblemCode;
  /** `unknown` if the server may have done all the same what was asked. Default: `answered`. */
  readonly delivery?: Delivery;
}

/**
 * How long a server may take for calls to a cloud provider, in milliseconds: the provider takes some seconds to accept
 * new keys.
 */
export const providerDeadline = 60_000;

/** Statuses with which the server, or a provider behind it, refuses a request and gives a reason. */
const telling = [400, 404, 405, 500, 502];

/**
 * Sends a request.
 * @param rules meanings of the server's texts for this request; the first match is the reason
 * @returns null for a 404 without text, if nothing exists there
 * @throws ServiceError
 */
export async function askFor(
  caller: SecretsCaller,
  request: Omit<ServiceRequest, 'headers'>,
  rules: readonly RefusalRule[] = [],
): Promise<ServiceAnswer | null> {
  const answer = await caller.send(request, ...telling);
  if (answer.status < 300) return answer;
  const text = refusalTexts(answer);
  if (answer.status === 404 && text === '') return null;
  throw refusalOf(answer, text, caller.transport, rules);
}

/** Sends a request about something that must exist. @throws ServiceError `not-found` if it doesn't */
export async function ask(
  caller: SecretsCaller,
  request: Omit<ServiceRequest, 'headers'>,
  rules?: readonly RefusalRule[],
): Promise<ServiceAnswer> {
  const answer = await askFor(caller, request, rules);
  if (answer !== null) return answer;
  const { environment, service } = caller.transport;
  throw new ServiceError(
    'not-found',
    'Nothing exists at this path.',
    { environment, service },
    { delivery: 'answered', status: 404 },
  );
}

/** Reasons that apply to any request. */
const everywhere: readonly RefusalRule[] = [
  {
    says: /no handler for route/,
    code: 'not-found',
    means: "No engine answers at this path: it isn't mounted, or its plugin isn't running.",
  },
  {
    says: /provider doesn't respond|connection refused|no such host|i\/o timeout|RequestError: send request failed/,
    code: 'service-unavailable',
    means:
      "The cloud provider doesn't respond to the secrets server. Check the endpoints in the root configuration.",
  },
  {
    says: /unsupported (?:path|operation)/,
    means: "The secrets server doesn't support this operation, or doesn't accept this name.",
  },
];

function refusalOf(
  answer: ServiceAnswer,
  text: string,
  transport: Transport,
  rules: readonly RefusalRule[],
): ServiceError {
  const found = [...rules, ...everywhere].filter(({ says }) => says.test(text));
  const [first] = found;
  const reason = first ?? providerRefusal(text);
  if (reason === undefined) return errorOf(answer, transport);
  const fields: FieldProblem[] = found.flatMap(({ field, means }) =>
    field === undefined ? [] : [{ path: field, message: means }],
  );
  const { environment, service } = transport;
  return new ServiceError(
    reason.code ?? 'invalid-request',
    `${reason.means}${whatIsLeft(text)}`,
    { environment, service, ...(fields.length > 0 && { fields }) },
    { delivery: reason.delivery ?? 'answered', status: answer.status },
  );
}

/** A plugin's program exited or isn't a plugin, in the words of Vault, OpenBao and go-plugin. */
export const notStarted: RefusalRule = {
  says: /fork\/exec|exec format error|plugin exited|waiting for plugin to start|unrecognized remote plugin|lines from plugin's stdout|incompatible API version|(?:start|launch|run|load|creat)\w* (?:the )?(?:plugin|backend)\b/i,
  means: "The server couldn't start the plugin. Its log says why.",
};

/** Names what the server created at the provider and couldn't delete yet: a user or an access key. */
function whatIsLeft(text: string): string {
  const [, what = ''] =
    /; ((?:the user|the access key|a new access key)[\w "+=,.@-]{1,300}) remains until it can be removed/.exec(
      text,
    ) ?? [];
  return what === ''
    ? ''
    : ` ${what[0]?.toUpperCase()}${what.slice(1)} is left at the provider until the server can delete it.`;
}

/** The cloud provider's error codes, with the console's words for each. Other codes aren't shown. */
const providerCodes: Readonly<Record<string, string>> = {
  AccessDenied: "the root credentials aren't allowed to do this",
  AccessDeniedException: "the root credentials aren't allowed to do this",
  UnauthorizedOperation: "the root credentials aren't allowed to do this",
  InvalidClientTokenId: "it doesn't know the root credentials' access key",
  InvalidAccessKeyId: "it doesn't know the root credentials' access key",
  UnrecognizedClientException: "it doesn't know the root credentials' access key",
  SignatureDoesNotMatch: "the root credentials' secret key is wrong, or the server's clock is off",
  AuthFailure: "it doesn't accept the root credentials",
  OptInRequired: "the root credentials' account isn't signed up for this",
  ExpiredToken: 'the root credentials have expired',
  ExpiredTokenException: 'the root credentials have expired',
  RequestExpired: "the request came too late: check the server's clock",
  RegionDisabledException: 'the region is not enabled in the account',
  NoSuchEntity: "something that the role or the root credentials name doesn't exist at the provider",
  EntityAlreadyExists: 'something with that name already exists at the provider',
  LimitExceeded: 'the account has reached a limit, such as two access keys for a user',
  MalformedPolicyDocument: "the policy document isn't valid",
  PackedPolicyTooLarge: 'the session policies and session tags are too large in total',
  PolicyNotAttachable: "a policy can't be attached",
  InvalidInput: 'a value is not valid',
  ValidationError: 'a value is not valid',
  InvalidParameterValue: 'a value is not valid',
  UnmodifiableEntity: 'the provider manages the record itself',
  DeleteConflict: 'something else still depends on the record',
  EntityTemporarilyUnmodifiable: 'the record is being changed; try again in a moment',
  ConcurrentModification: 'the record is being changed; try again in a moment',
  ServiceFailure: 'it had an internal error',
  InternalFailure: 'it had an internal error',
  InternalError: 'it had an internal error',
  ServiceUnavailable: "it isn't accepting requests at the moment",
  Throttling: 'it is receiving too many requests',
  ThrottlingException: 'it is receiving too many requests',
  RequestLimitExceeded: 'it is receiving too many requests',
  TooManyRequestsException: 'it is receiving too many requests',
};

const busy: ReadonlySet<string> = new Set([
  'Throttling',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
]);

/** The reason for which the cloud provider refused, by its error code; undefined if the text contains no known code. */
function providerRefusal(text: string): Omit<RefusalRule, 'says'> | undefined {
  for (const [word] of text.matchAll(/\b[A-Z][A-Za-z]{3,40}\b/g)) {
    const meaning = Object.hasOwn(providerCodes, word) ? providerCodes[word] : undefined;
    if (meaning !== undefined) {
      return {
        means: `The cloud provider refused the request (${word}): ${meaning}.`,
        ...(busy.has(word) && { code: 'rate-limited' }),
      };
    }
  }
  return undefined;
}
