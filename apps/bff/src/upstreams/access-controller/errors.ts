import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import { pathsOf } from '@gatehouse/api-types/console/field-kinds';
import type { FieldProblem } from '@gatehouse/api-types/console/problem';
import { errorBody } from '@gatehouse/api-types/services/access-controller';
import * as z from 'zod/mini';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, Transport } from '../transport.ts';

/** Fields of requests: if the controller refuses one, the page shows the reason beside the field. */
const knownFields: ReadonlySet<string> = new Set(
  allEndpoints
    .filter(({ path }) => path.includes('/access/'))
    .flatMap(({ body, query }) => [body, query].flatMap((schema) => (schema ? pathsOf(schema) : []))),
);

/** The controller whose answer is read. */
interface Answering {
  readonly transport: Transport;
  /** Whether this is the installation's own controller. */
  readonly embedded: boolean;
}

/** What the controller means by a failed precondition, by kind of record. */
const preconditions: Readonly<Record<string, string>> = {
  target: 'A target has either an address or host sources. Remove one before you set the other.',
  session: 'The session has already ended.',
  user: "At least one enabled administrator must remain: make another person an administrator first. The installation's first account can't be deleted, only disabled.",
};

const uniqueNames: ReadonlySet<string> = new Set(['name', 'login_name']);

/** The contract's names of fields that the controller names differently. */
const contractNames: Readonly<Record<string, string>> = { list_token: 'page_token' };

/**
 * Maps an answer of 400 or more to an error. The answer's text isn't passed on, except what the installation's own
 * controller says about a field, or why a target can't have a session.
 * @param path of the request, which identifies the kind of record
 */
export function errorOf(answer: ServiceAnswer, controller: Answering, path: string): ServiceError {
  const { environment, service } = controller.transport;
  const about = { environment, service };
  const { status } = answer;
  const answered = { delivery: 'answered', status } as const;
  switch (status) {
    case 400:
      return refusal(answer, controller, path);
    case 401:
      return new ServiceError(
        'not-connected',
        'The access controller no longer accepts the token. Sign in to it again.',
        about,
        answered,
      );
    case 403:
      return new ServiceError(
        'forbidden',
        "Your account at the access controller isn't allowed to do this.",
        about,
        answered,
      );
    case 404:
      return new ServiceError(
        'not-found',
        "The record doesn't exist at the access controller, or your account isn't allowed to see it.",
        about,
        answered,
      );
    case 503:
      return new ServiceError(
        'service-unavailable',
        "The access controller isn't accepting requests at the moment.",
        about,
        { delivery: 'unknown', status },
      );
    case 507:
      return new ServiceError('storage-full', 'The access controller has no space left.', about, answered);
    default:
      return new ServiceError(
        'bad-answer',
        `The access controller returned an error (status ${status}).`,
        about,
        { delivery: 'unknown', status },
      );
  }
}

/** The kind of record at a path, in words, for example `host set` for /v1/host-sets/hsst_1:add-hosts. */
function nounOf(path: string): string {
  const collection = /\/v1\/([a-z-]+)s(?:[/?:]|$)/.exec(path)?.[1] ?? 'record';
  return collection.replaceAll('-', ' ');
}

function refusal(answer: ServiceAnswer, { transport, embedded }: Answering, path: string): ServiceError {
  const { environment, service } = transport;
  const noun = nounOf(path);
  const about = { environment, service };
  const outcome = { delivery: 'answered', status: 400 } as const;
  const parsed = z.safeParse(errorBody, answer.body);
  const kind = parsed.success ? parsed.data.kind : '';
  const message = parsed.success ? parsed.data.message : '';
  const refused = parsed.success ? (parsed.data.details?.request_fields ?? []) : [];
  // A controller reports a duplicate name only in its message and names no field.
  if (
    /\bunique\b/i.test(message) ||
    refused.some(({ name, description }) => uniqueNames.has(name) && /\bunique\b/i.test(description))
  ) {
    const text = `Another ${noun} here already has this name. Choose a different name.`;
    return new ServiceError(
      'invalid-request',
      text,
      { ...about, fields: [{ path: noun === 'user' ? 'login_name' : 'name', message: text }] },
      outcome,
    );
  }
  const source = parsed.success ? parsed.data.details?.credential_source : undefined;
  if (source !== null && source !== undefined) {
    const { id: library_id, credential_store_id, reason } = source;
    return new ServiceError(
      'invalid-request',
      'A credential library of the target returned no credential.',
      { ...about, failedSource: { library_id, credential_store_id, reason } },
      outcome,
    );
  }
  if (kind === 'FailedPrecondition' && path.endsWith(':authorize-session')) {
    const text =
      (embedded && plainText(message)) || "The access controller can't open a session on this target now.";
    return new ServiceError('invalid-request', text, about, outcome);
  }
  if (kind === 'FailedPrecondition') {
    const text = preconditions[noun] ?? "The record's state doesn't allow this.";
    const field = path.endsWith('-host-sources') ? 'host_source_ids' : 'address';
    return new ServiceError(
      'invalid-request',
      text,
      { ...about, ...(noun === 'target' && { fields: [{ path: field, message: text }] }) },
      outcome,
    );
  }
  const fields = refused
    .map((field) => fieldProblem(field, embedded))
    .filter((field) => knownFields.has(field.path));
  return new ServiceError(
    'invalid-request',
    fields.length === 0
      ? 'The access controller refused the request as invalid.'
      : 'The access controller refused some fields.',
    { ...about, ...(fields.length > 0 && { fields }) },
    outcome,
  );
}

/** Patterns in what other controllers say about a field, with the console's words for each. */
const fieldWords: readonly (readonly [RegExp, string])[] = [
  [
    /can(?:not|'t) be reached|unreachable|connection refused|no such host/i,
    "The access controller can't reach this address.",
  ],
  [
    /read[- ]only|cannot be (?:changed|updated|set)|not updatable|immutable/i,
    "The access controller doesn't allow this to be set or changed.",
  ],
  [
    /required|must be (?:set|provided)|(?:not|cannot) be (?:set to )?empty|missing/i,
    'The access controller requires a value here.',
  ],
  [
    /greater|less than|at least|at most|minimum|maximum|between|out of range|too (?:long|short|large|small)/i,
    'The value is outside the range the access controller allows.',
  ],
  [
    /format|malformed|identifier|invalid|not (?:a )?valid|must be/i,
    "The access controller can't read this value. Check its format.",
  ],
];

/** Another controller may write anything into its answers, so none of its words are passed on. */
function fieldProblem(
  { name, description }: { readonly name: string; readonly description: string },
  isOwn: boolean,
): FieldProblem {
  const text = isOwn
    ? plainText(description)
    : (fieldWords.find(([pattern]) => pattern.test(description))?.[1] ?? '');
  return {
    path: contractNames[name] ?? name,
    message: text === '' ? 'The access controller refused this value.' : text,
  };
}

/** One line of the embedded controller's text. */
function plainText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
