/**
 * What refusals of the secrets server mean. Their texts may hold what was sent, or what a provider answered: they are read
 * here and go no further.
 */
import type { FieldProblem, ProblemCode } from '@gatehouse/api-types/console/problem';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import type { SecretsCaller } from './client.ts';
import { errorOf, refusalTexts } from './errors.ts';

/** One reason for which a request may be refused. */
export interface RefusalRule {
  /** What the server's text holds then. */
  readonly says: RegExp;
  /** What a person reads. */
  readonly means: string;
  /** The field that it is about. */
  readonly field?: string;
  /** `invalid-request` unless given. */
  readonly code?: ProblemCode;
}

/**
 * How long a server may take for what it asks of a cloud provider, in milliseconds: new keys are known there after some
 * seconds.
 */
export const providerDeadline = 60_000;

/** Statuses with which the server, or a provider behind it, refuses a request for a reason that it tells. */
const telling = [400, 404, 405, 500, 502];

/**
 * Sends a request.
 * @param rules what the server's texts mean for this request; the first that fits is the reason
 * @returns null for 404 without a text: there is nothing
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

/** The same of a request that finds what it is about. @throws ServiceError `not-found` where there is nothing */
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
    'There is nothing at this path.',
    { environment, service },
    { delivery: 'answered', status: 404 },
  );
}

/** What any request may be refused for. */
const everywhere: readonly RefusalRule[] = [
  {
    says: /no handler for route/,
    code: 'not-found',
    means: 'There is no engine at this path: it is not mounted, or its plugin does not run.',
  },
  {
    says: /provider does not answer|connection refused|no such host|i\/o timeout|RequestError: send request failed/,
    code: 'service-unavailable',
    means:
      'The cloud provider does not answer the secrets server: check the endpoints of the root configuration.',
  },
  {
    says: /unsupported (?:path|operation)/,
    means: 'The secrets server does not have this operation, or does not take this name.',
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
    { delivery: 'answered', status: answer.status },
  );
}

/** A plugin's program ended, or never was one: what Vault and OpenBao say of it, and what go-plugin does. */
export const notStarted: RefusalRule = {
  says: /fork\/exec|exec format error|plugin exited|waiting for plugin to start|unrecognized remote plugin|lines from plugin's stdout|incompatible API version|(?:start|launch|run|load|creat)\w* (?:the )?(?:plugin|backend)\b/i,
  means: 'The server could not start the plugin. Its log says why.',
};

/** What a server says that it made at the provider, and could not undo yet: the name of a user, or an access key. */
function whatIsLeft(text: string): string {
  const [, what = ''] =
    /; ((?:the user|the access key|a new access key)[\w "+=,.@-]{1,300}) is left until it can be removed/.exec(
      text,
    ) ?? [];
  return what === ''
    ? ''
    : ` ${what[0]?.toUpperCase()}${what.slice(1)} is left there until the server can remove it.`;
}

/** Codes of the cloud provider, and what they mean here. A code that is not among them is not repeated. */
const providerCodes: Readonly<Record<string, string>> = {
  AccessDenied: 'the root credentials may not do this',
  AccessDeniedException: 'the root credentials may not do this',
  UnauthorizedOperation: 'the root credentials may not do this',
  InvalidClientTokenId: 'it does not know the access key of the root credentials',
  InvalidAccessKeyId: 'it does not know the access key of the root credentials',
  UnrecognizedClientException: 'it does not know the access key of the root credentials',
  SignatureDoesNotMatch: 'the secret key of the root credentials is wrong, or the server’s clock is',
  AuthFailure: 'it does not accept the root credentials',
  OptInRequired: 'the account of the root credentials is not signed up for this',
  ExpiredToken: 'the root credentials are expired',
  ExpiredTokenException: 'the root credentials are expired',
  RequestExpired: 'the request came too late: check the server’s clock',
  RegionDisabledException: 'the region is not enabled in the account',
  NoSuchEntity: 'something that the role or the root credentials name does not exist there',
  EntityAlreadyExists: 'something of that name exists there already',
  LimitExceeded: 'a limit of the account is reached; a user has two access keys at most',
  MalformedPolicyDocument: 'the policy document is no valid policy',
  PackedPolicyTooLarge: 'the policies are too large together',
  PolicyNotAttachable: 'a policy may not be attached',
  InvalidInput: 'a value is not valid there',
  ValidationError: 'a value is not valid there',
  InvalidParameterValue: 'a value is not valid there',
  UnmodifiableEntity: 'what it is about belongs to the provider',
  DeleteConflict: 'something still depends on what is to be deleted',
  EntityTemporarilyUnmodifiable: 'it is being changed; try again in a moment',
  ConcurrentModification: 'it is being changed; try again in a moment',
  ServiceFailure: 'it has a fault of its own',
  InternalFailure: 'it has a fault of its own',
  InternalError: 'it has a fault of its own',
  ServiceUnavailable: 'it does not take requests at the moment',
  Throttling: 'it asks for fewer requests',
  ThrottlingException: 'it asks for fewer requests',
  RequestLimitExceeded: 'it asks for fewer requests',
  TooManyRequestsException: 'it asks for fewer requests',
};

const busy: ReadonlySet<string> = new Set([
  'Throttling',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
]);

/** What the cloud provider refused, by its code; undefined where the text names none. */
function providerRefusal(text: string): Pick<RefusalRule, 'code' | 'means'> | undefined {
  for (const [word] of text.matchAll(/\b[A-Z][A-Za-z]{3,40}\b/g)) {
    const meaning = Object.hasOwn(providerCodes, word) ? providerCodes[word] : undefined;
    if (meaning !== undefined) {
      return {
        means: `The cloud provider refused it (${word}): ${meaning}.`,
        ...(busy.has(word) && { code: 'rate-limited' }),
      };
    }
  }
  return undefined;
}
