/**
 * Puts an operation between its two rows of the audit trail: what it is about to do, and what became of it. The
 * binding does this for every operation whose definition says how it is called there, so that none can forget it.
 */
import {
  decisionBytesLimit,
  decisions as decisionsSchema,
  type Decision,
} from '@gatehouse/api-types/console/decisions';
import { decisionsHeader, type EndpointDefinition } from '@gatehouse/api-types/contract';
import * as z from 'zod/mini';
import { ProblemError } from '#ground/problem.ts';
import type { AuditNote, Caller, PartialChange } from '#operation/operation.ts';
import type { ActiveSession } from '#session/session.ts';
import type { AuditTrail, Deed, Result } from './trail.ts';
import { fieldPaths, pathsOf } from './wish.ts';

/** A validated call, as far as the audit trail looks at it. */
export interface RecordedCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly revision: string | undefined;
  readonly session: ActiveSession | undefined;
  readonly caller: Caller;
}

/** What was learned of the record while the operation worked: the last that was seen of it. */
export interface Seen extends AuditNote {
  readonly last: object | undefined;
  /** Says how single changes are recorded. */
  recordWith(record: AuditNote['did']): void;
}

/** Remembers the record that an operation saw. */
export function seen(): Seen {
  let last: object | undefined;
  let record: AuditNote['did'] = () => Promise.resolve();
  return {
    saw(stored) {
      last = stored;
    },
    did: (change) => record(change),
    recordWith(next) {
      record = next;
    },
    get last() {
      return last;
    },
  };
}

/**
 * Runs an operation and records it.
 * @throws ProblemError when the intent cannot be recorded: the operation is not run then; or what the operation threw
 */
export async function recorded(
  trail: AuditTrail,
  route: {
    readonly name: string;
    readonly endpoint: EndpointDefinition;
    readonly decisions: readonly Decision[];
  },
  call: RecordedCall,
  noted: Seen,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const { audit } = route.endpoint;
  if (typeof audit !== 'string') return work();
  const deed = deedOf(audit, route.endpoint, call, route.decisions);
  const intent = await trail.intend(deed, {
    operation: route.name,
    params: textsOf(call.params),
    body: fieldsOf(call.body),
    revision: call.revision ?? null,
  });
  noted.recordWith((change) => trail.did(partOf(deed, change), change.revisionAfter));
  try {
    const answer = await work();
    if (route.endpoint.stream === true && route.endpoint.method !== 'GET') {
      return concludedAtEnd(trail, intent, noted, answer as AsyncIterable<unknown>);
    }
    await trail.conclude(intent, {
      outcome: 'succeeded',
      problem: null,
      revisionAfter: textOf(answer, 'revision') ?? null,
      learned: {
        ...learnedOf(noted.last),
        ...learnedOf(answer),
        ...(route.endpoint.anonymous === true && personOf(answer)),
      },
    });
    return answer;
  } catch (error) {
    await trail.conclude(intent, {
      ...resultOf(error),
      revisionAfter: null,
      learned: learnedOf(noted.last),
    });
    throw await withAuthor(trail, intent, error);
  }
}

/** A change that was made as one of many, as a deed of its own: the request's id leads to the whole. */
function partOf(whole: Deed, { action, id, paths, revisionBefore }: PartialChange): Deed {
  return {
    ...whole,
    action,
    kind: action.slice(0, action.indexOf('.')),
    id,
    name: '',
    paths: [`part-of=${whole.action}`, ...paths],
    decisions: [],
    revision: revisionBefore,
  };
}

/** A conflict names who changed the record meanwhile, where the service does not say it and the trail does. */
async function withAuthor(
  trail: AuditTrail,
  intent: Awaited<ReturnType<AuditTrail['intend']>>,
  error: unknown,
): Promise<unknown> {
  const conflict = error instanceof ProblemError ? error.init.conflict : undefined;
  if (!(error instanceof ProblemError) || conflict === undefined || conflict.changedBy !== null) return error;
  // Nobody loses an edit because the trail cannot be read: without a name it is a conflict all the same.
  const change = await trail.lastChange(intent, conflict.currentRevision).catch(() => undefined);
  if (change === undefined) return error;
  const { by, at } = change;
  return new ProblemError(error.code, error.message, {
    ...error.init,
    conflict: { ...conflict, changedBy: by, changedAt: conflict.changedAt ?? at },
  });
}

/**
 * The lines of a sequence of changes: its outcome is that of its last line, which says how it ended. One that the
 * caller broke off, or that fails in its middle, has said in its steps how far it came.
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
    const outcome = ended ? (textOf(last, 'outcome') ?? 'done') : (textOf(noted.last, 'outcome') ?? '');
    await trail.conclude(intent, {
      ...(failure === undefined
        ? { outcome: outcomes[outcome] ?? 'failed', problem: textOf(last, 'code') ?? null }
        : resultOf(failure)),
      revisionAfter: null,
      learned: learnedOf(noted.last),
    });
  }
}

/** What the end of a sequence means for the trail. */
const outcomes: Readonly<Record<string, Result['outcome']>> = {
  done: 'succeeded',
  undone: 'failed',
  partly: 'unknown',
};

/** Records that a read was denied. */
export function readDenied(
  trail: AuditTrail,
  endpoint: EndpointDefinition,
  call: RecordedCall,
  path: string,
): Promise<void> {
  const deed = deedOf('request.read', endpoint, call, []);
  return trail.denied({ ...deed, id: path, name: endpoint.summary, paths: [] }, 'forbidden');
}

/**
 * The decisions that a request tells.
 * @throws ProblemError `invalid-request` when the header field does not hold any
 */
export function readDecisions(header: string | string[] | undefined): readonly Decision[] {
  if (header === undefined) return [];
  try {
    if (typeof header !== 'string' || header.length > decisionBytesLimit) throw new TypeError('too long');
    return z.parse(decisionsSchema, JSON.parse(header));
  } catch (cause) {
    throw new ProblemError('invalid-request', `The header ${decisionsHeader} does not hold decisions.`, {
      cause,
    });
  }
}

/** Kinds whose bodies are no fields of a record. */
const withoutFields: ReadonlySet<string> = new Set(['console-session', 'connection', 'activity']);

function deedOf(
  action: string,
  endpoint: EndpointDefinition,
  { params, query, body, revision, session: before, caller }: RecordedCall,
  made: readonly Decision[],
): Deed {
  const kind = action.slice(0, action.indexOf('.'));
  // Who signs in may be another one than who was signed in.
  const session = endpoint.anonymous === true ? undefined : before;
  const login = fieldsOf(fieldsOf(body)['credentials'])['login_name'];
  return {
    personId: session?.personId ?? '',
    personName: session?.personName ?? '',
    loginName: session?.loginName ?? (typeof login === 'string' ? login : ''),
    sessionId: session?.id ?? '',
    address: caller.address,
    environment: textOf(params, 'environment') ?? textOf(body, 'environment') ?? session?.environment ?? '',
    service: textOf(params, 'service') ?? textOf(body, 'service') ?? serviceOf(endpoint),
    action,
    kind,
    id:
      textOf(params, 'id') ??
      boxPlaceOf(action, params, body) ??
      placeOf(params) ??
      placeOf(fieldsOf(body)['from']) ??
      textOf(params, 'sequence') ??
      textOf(params, 'service') ??
      (kind === 'console-session' ? (session?.id ?? '') : ''),
    name:
      textOf(body, 'name') ??
      textOf(body, 'login_name') ??
      (kind === 'console-session' ? nameOf(session) : ''),
    paths:
      endpoint.method === 'GET'
        ? filtersOf(query)
        : withoutFields.has(kind)
          ? []
          : [...toldOf(body), ...pathsOf(body).filter((path) => !toldNames.has(path))],
    decisions: made,
    revision: revision ?? null,
    requestId: caller.requestId,
  };
}

/** Whose session it is: sessions of the console have no name of their own. */
function nameOf(session: ActiveSession | undefined): string {
  return session === undefined ? '' : session.personName || session.loginName;
}

function serviceOf({ path }: EndpointDefinition): string {
  const [, service = ''] = /^\/api\/environments\/:environment\/(access|secrets|boxes)\//.exec(path) ?? [];
  if (service !== '') return service;
  return /\/publish-|\/two-factor\//.test(path) ? 'boxes' : '';
}

/** Which box, version or provider of the registry it is: `user/name/1.0.0/virtualbox`; a run of publishing by its id. */
function boxPlaceOf(action: string, params: unknown, body: unknown): string | undefined {
  const run = textOf(params, 'run');
  if (run !== undefined) return run;
  if (textOf(params, 'username') === undefined && !action.startsWith('organization.')) return undefined;
  const place = ['username', 'name', 'version', 'provider', 'member'].map((name) => textOf(params, name));
  // What is created is called by its body.
  const made = action.endsWith('.create')
    ? ['name', 'version', 'username'].map((name) => textOf(body, name))
    : [];
  return [...place, made.find((name) => name !== undefined)].filter((name) => name !== undefined).join('/');
}

/** Where a secret is, as its owners call it: its engine's mount and its path. */
function placeOf(params: unknown): string | undefined {
  const mount = textOf(params, 'mount');
  const path = textOf(params, 'path');
  return mount === undefined || path === undefined ? mount : `${mount}/${path}`;
}

const toldNames: ReadonlySet<string> = new Set([
  'version',
  'versions',
  'fields',
  'paths',
  'folders',
  'to.mount',
  'to.path',
]);

/**
 * Of a body about versions which they are, of a reveal which fields and of an export which secrets it is about, and of
 * a transfer where it leads: none of these is a field of a record that is set.
 */
function toldOf(body: unknown): string[] {
  const { version, versions, fields, paths, folders, to } = fieldsOf(body);
  const place = placeOf(to);
  return [
    ...(typeof version === 'number' ? [`version=${version}`] : []),
    ...(Array.isArray(versions) && versions.every((one) => typeof one === 'number')
      ? [`versions=${versions.join(',')}`]
      : []),
    ...(Array.isArray(fields) ? fieldPaths(fields.filter(isText)) : []),
    ...named('path', paths),
    ...named('folder', folders),
    ...(place === undefined ? [] : [`to=${place}`]),
  ];
}

function named(name: string, values: unknown): string[] {
  return Array.isArray(values) ? values.filter(isText).map((value) => `${name}=${value}`) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** What a read was narrowed to. Its filters are no fields of a record, and nothing that they say is secret. */
function filtersOf(query: unknown): string[] {
  return Object.entries(fieldsOf(query)).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}=${value}`] : [],
  );
}

/** What a failure means for the trail. One that nobody foresaw leaves open how far the operation had come. */
function resultOf(error: unknown): Pick<Result, 'outcome' | 'problem'> {
  if (!(error instanceof ProblemError)) return { outcome: 'unknown', problem: 'internal' };
  if (error.code === 'outcome-unknown') return { outcome: 'unknown', problem: error.code };
  return {
    outcome: error.status < 500 && error.code !== 'not-connected' ? 'refused' : 'failed',
    problem: error.code,
  };
}

/** Id and names of the record that was answered or seen. A session is called by the target that it is on. */
function learnedOf(record: unknown): Result['learned'] {
  const id = textOf(record, 'id');
  const name = textOf(record, 'name') || textOf(record, 'login_name') || textOf(record, 'target_name');
  return { ...(id !== undefined && { id }), ...(name !== undefined && name !== '' && { name }) };
}

/** Who signed in, by the session that is answered. */
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown, name: string): string | undefined {
  const field = fieldsOf(value)[name];
  return typeof field === 'string' ? field : undefined;
}

function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).flatMap(([name, field]) =>
      typeof field === 'string' ? [[name, field]] : [],
    ),
  );
}
