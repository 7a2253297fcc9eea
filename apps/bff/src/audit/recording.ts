/**
 * Records an operation in the audit trail: the intent before it, and the outcome after it. The binding does this for
 * each operation whose definition names its audit action, so no operation can skip it.
 */
import {
  decisionBytesLimit,
  decisions as decisionsSchema,
  type Decision,
} from '@gatehouse/api-types/console/decisions';
import { decisionsHeader, type EndpointDefinition } from '@gatehouse/api-types/contract';
import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import * as z from 'zod/mini';
import {
  unchanged,
  type AuditNote,
  type Caller,
  type PartialChange,
  type RecordingGuard,
} from '#ground/call.ts';
import { mayBeDone, ProblemError } from '#ground/problem.ts';
import type { ActiveSession } from '#session/session.ts';
import type { AuditTrail, Deed, Result } from './trail.ts';
import { changedValues } from './values.ts';
import { pathsOf } from './wish.ts';

/** The part of a validated call that the trail records. */
export interface RecordedCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly revision: string | undefined;
  readonly session: ActiveSession | undefined;
  readonly caller: Caller;
}

/** The record and the fields (`paths`) of a call, as far as they are known before the operation. */
export type AuditAddress = Pick<Deed, 'environment' | 'service' | 'loginName' | 'id' | 'name' | 'paths'>;

/** The part of an operation's definition that the trail needs. */
interface RecordedOperation {
  readonly name: string;
  readonly endpoint: EndpointDefinition;
  readonly addressOf: (call: RecordedCall) => Partial<AuditAddress>;
}

/** The first and the last known state of the record during the operation. */
export interface Seen extends AuditNote {
  readonly first: object | undefined;
  readonly last: object | undefined;
  readonly changes: readonly string[];
  /** Records single changes as parts of the operation. */
  recordWith(record: AuditNote['did']): void;
}

/** Keeps the record that an operation has read. */
export function seen(): Seen {
  let first: object | undefined;
  let last: object | undefined;
  let changes: readonly string[] = [];
  let record: AuditNote['did'] = () => Promise.resolve();
  return {
    saw(stored) {
      first ??= stored;
      last = stored;
    },
    changed(paths) {
      changes = paths;
    },
    did: (change) => record(change),
    recordWith(next) {
      record = next;
    },
    get first() {
      return first;
    },
    get last() {
      return last;
    },
    get changes() {
      return changes;
    },
  };
}

/**
 * Runs an operation and records it: before it begins, or when its guard lets it through. An operation that the guard
 * stopped to ask for the password isn't recorded, because nothing was tried.
 * @param actor the account at the service, if it isn't the session's user
 * @throws ProblemError if the intent can't be recorded, and the operation isn't run; the operation's errors
 */
export async function recorded(
  trail: AuditTrail,
  operation: RecordedOperation,
  call: RecordedCall,
  decisions: readonly Decision[],
  {
    noted,
    guard,
    actor,
  }: { readonly noted: Seen; readonly guard: RecordingGuard; readonly actor: string | undefined },
  work: () => Promise<unknown>,
): Promise<unknown> {
  const { name, endpoint } = operation;
  if (typeof endpoint.audit !== 'string') return work();
  const plain = deedOf(endpoint.audit, operation, call);
  const as = actor === undefined ? [] : [`as=${actor}`];
  const deed = { ...plain, paths: [...as, ...plain.paths], decisions };
  const intend = async () => {
    const row = await trail.intend(deed, {
      operation: name,
      params: call.params,
      body: fieldsOf(call.body),
      revision: call.revision ?? null,
    });
    noted.recordWith((change) => trail.did(partOf(deed, change), change.revisionAfter ?? null));
    return row;
  };
  // Signing out must always work, and can happen only once.
  const giveBack =
    deed.action === 'console-session.sign-out' ? () => undefined : trail.count(deed, endpoint.reads === true);
  let intended: ReturnType<typeof intend> | undefined;
  guard.record = () => (intended ??= intend());
  try {
    if (guard.isPassed) await guard.record();
    const answer = await work();
    const intent = await (intended ??= intend());
    // A service that was sent nothing didn't check the right to change the record.
    if (endpoint.method !== 'GET' && noted.changes !== unchanged) giveBack();
    if (endpoint.stream === true && endpoint.method !== 'GET') {
      return concludedAtEnd(trail, intent, noted, answer as AsyncIterable<unknown>);
    }
    await trail.conclude(intent, {
      outcome: 'succeeded',
      problem: null,
      revisionAfter: textOf(answer, 'revision') ?? null,
      learned: {
        ...learnedOf(noted.last),
        ...learnedOf(answer),
        ...(endpoint.anonymous === true && personOf(answer)),
      },
      ...(noted.changes.length > 0 && { paths: [...as, ...noted.changes] }),
      ...(textOf(noted.first, 'revision') === call.revision && {
        values: changedValues(deed.action, plain.paths, noted.first, answer),
      }),
    });
    return answer;
  } catch (error) {
    const isAsked = error instanceof ProblemError && error.code === 'confirmation-required';
    const result = resultOf(error);
    if (isAsked || result.outcome === 'succeeded') giveBack();
    if (isAsked && intended === undefined) throw error;
    const intent = await (intended ??= intend());
    await trail.conclude(intent, {
      revisionAfter: null,
      ...result,
      learned: learnedOf(noted.last),
    });
    throw await withAuthor(trail, intent, error);
  }
}

/** A change that is one of many, as a deed of its own. The request ID connects it with the others. */
export function partOf(
  whole: Deed,
  {
    action,
    environment = whole.environment,
    service = whole.service,
    session,
    id,
    paths,
    revisionBefore = null,
  }: PartialChange,
): Deed {
  return {
    ...whole,
    ...(session !== undefined && {
      personId: session.personId,
      personName: session.personName,
      loginName: session.loginName,
      sessionId: session.id,
    }),
    environment,
    service,
    action,
    kind: action.slice(0, action.indexOf('.')),
    id,
    name: '',
    paths: [`part-of=${whole.action}`, ...paths],
    decisions: [],
    revision: revisionBefore,
  };
}

/** Adds to a conflict who changed the record, if the trail knows it and the service doesn't say it. */
async function withAuthor(
  trail: AuditTrail,
  intent: Awaited<ReturnType<AuditTrail['intend']>>,
  error: unknown,
): Promise<unknown> {
  const conflict = error instanceof ProblemError ? error.init.conflict : undefined;
  if (!(error instanceof ProblemError) || conflict === undefined || conflict.changedBy !== null) return error;
  // An unreadable trail must not cost anyone's edit: the conflict is shown without a name.
  const change = await trail.lastChange(intent, conflict).catch(() => undefined);
  if (change === undefined) return error;
  const { by, personId, at } = change;
  return new ProblemError(error.code, error.message, {
    ...error.init,
    conflict: {
      ...conflict,
      changedBy: by,
      isYours: personId === intent.person_id,
      changedAt: conflict.changedAt ?? at,
    },
  });
}

/**
 * Yields the lines of a sequence of changes, whose outcome the last line states. If the client breaks the sequence off,
 * or it fails midway, its steps say how far it came.
 */
async function* concludedAtEnd(
  trail: AuditTrail,
  intent: Awaited<ReturnType<AuditTrail['intend']>>,
  noted: Seen,
  lines: AsyncIterable<unknown>,
): AsyncGenerator {
  let last: unknown;
  let failure: unknown;
  try {
    for await (const line of lines) {
      last = line;
      yield line;
    }
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    const ended = textOf(last, 'kind') === 'end';
    const outcome = ended ? (textOf(last, 'outcome') ?? 'done') : textOf(noted.last, 'outcome');
    await trail.conclude(intent, {
      ...(failure === undefined || outcome !== undefined
        ? { outcome: outcomes[outcome ?? ''] ?? 'failed', problem: textOf(last, 'code') ?? null }
        : resultOf(failure)),
      revisionAfter: null,
      learned: learnedOf(noted.last),
    });
  }
}

/** The outcome of a sequence, for the trail. */
const outcomes: Readonly<Record<string, Result['outcome']>> = {
  done: 'succeeded',
  undone: 'failed',
  partly: 'unknown',
};

/** Records that a read was denied. */
export function readDenied(
  trail: AuditTrail,
  operation: RecordedOperation,
  call: RecordedCall,
  path: string,
): Promise<void> {
  const deed = deedOf('request.read', operation, call);
  return trail.denied({ ...deed, id: path, name: operation.endpoint.summary, paths: [] }, 'forbidden');
}

/** Reads the decisions from a request's header. @throws ProblemError `invalid-request` if the header is malformed */
export function readDecisions(header: string | string[] | undefined): readonly Decision[] {
  if (header === undefined) return [];
  try {
    if (typeof header !== 'string' || header.length > decisionBytesLimit) throw new TypeError('too long');
    return z.parse(decisionsSchema, JSON.parse(header));
  } catch (cause) {
    throw new ProblemError('invalid-request', `The ${decisionsHeader} header couldn't be parsed.`, {
      cause,
    });
  }
}

function deedOf(action: string, { endpoint, addressOf }: RecordedOperation, call: RecordedCall): Deed {
  const { params, body, revision, caller } = call;
  // The user who signs in may differ from the one who was signed in.
  const session = endpoint.anonymous === true ? undefined : call.session;
  const { paths = pathsOf(body), ...about } = addressOf({ ...call, session });
  return {
    personId: session?.personId ?? '',
    personName: session?.personName ?? '',
    loginName: session?.loginName ?? '',
    sessionId: session?.id ?? '',
    address: caller.address,
    environment: params['environment'] ?? session?.environment ?? '',
    service: '',
    action,
    kind: action.slice(0, action.indexOf('.')),
    id: '',
    name: textOf(body, 'name') ?? textOf(body, 'login_name') ?? '',
    paths,
    decisions: [],
    revision: revision ?? null,
    requestId: caller.requestId,
    ...about,
  };
}

/** The outcome of an error, for the trail. An unexpected error leaves unknown how far the operation came. */
function resultOf(
  error: unknown,
): Pick<Result, 'outcome' | 'problem'> & Partial<Pick<Result, 'revisionAfter'>> {
  if (!(error instanceof ProblemError)) return { outcome: 'unknown', problem: 'internal' };
  const { done } = error.init;
  if (done !== undefined)
    return { outcome: 'succeeded', problem: done.problem, revisionAfter: done.revision };
  if (mayBeDone(error)) return { outcome: 'unknown', problem: error.code };
  return {
    outcome: error.status < 500 && error.code !== 'not-connected' ? 'refused' : 'failed',
    problem: error.code,
  };
}

/** ID and names of the answered or read record. A session is named after its target. */
function learnedOf(record: unknown): Result['learned'] {
  const id = textOf(record, 'id');
  const name = textOf(record, 'name') || textOf(record, 'login_name') || textOf(record, 'target_name');
  return { ...(id !== undefined && { id }), ...(name !== undefined && name !== '' && { name }) };
}

/** The user who signed in, from the answered session. */
function personOf(answer: unknown): Result['learned'] {
  const person = fieldsOf(answer)['person'];
  const personId = textOf(person, 'id');
  if (personId === undefined) return {};
  const personName = textOf(person, 'name') ?? '';
  const loginName = textOf(person, 'login_name') ?? '';
  return {
    personId,
    personName,
    loginName,
    sessionId: textOf(answer, 'id') ?? '',
    name: personName || loginName,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown, name: string): string | undefined {
  const field = fieldsOf(value)[name];
  return typeof field === 'string' ? field : undefined;
}
