import { uiMount } from '@gatehouse/api-types/services/secrets-server';
import { LRUCache } from 'lru-cache';
import { ProblemError } from '#ground/problem.ts';
import { buildPath, namesIn } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest } from '../transport.ts';
import { isAnswer, type SecretsCaller } from './client.ts';
import { errorOf, refusalTexts } from './errors.ts';

/** An engine as the server describes it. */
interface ToldEngine {
  readonly type: string;
  readonly options?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The engine at a mount; `unknown` if the server doesn't show it to the token. */
type Engine =
  /** Key-value, version 2. */
  | { readonly kind: 'versioned' }
  /** Key-value, version 1, which keeps only the newest values. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'other'; readonly type: string }
  | { readonly kind: 'unknown' };

/** How long an engine's kind is cached, in milliseconds: the engine may be replaced. */
const believedFor = 15_000;

/** The last known engines, by the connection pool of their server. */
const told = new WeakMap<object, LRUCache<string, { readonly at: number; readonly engine: Engine }>>();
/** Most engines of a server that are remembered: it also describes an engine for any path within. */
const mostTold = 1000;
/** The lookups of each call, because another token may be shown what this one isn't. */
const asked = new WeakMap<SecretsCaller, Map<string, Promise<Engine>>>();

/** The maximum length of an engine type that is shown, in characters. */
const typeLength = 64;

/** The engine at a mount. @throws ServiceError `not-sent` if the lookup fails: the engine was sent nothing */
export function engineAt(caller: SecretsCaller, mount: string): Promise<Engine> {
  const byMount = asked.get(caller) ?? new Map<string, Promise<Engine>>();
  asked.set(caller, byMount);
  const engine = byMount.get(mount) ?? askedAt(caller, mount);
  byMount.set(mount, engine);
  return engine;
}

async function askedAt(caller: SecretsCaller, mount: string): Promise<Engine> {
  const { transport } = caller;
  const known =
    told.get(transport.pool) ??
    new LRUCache<string, { readonly at: number; readonly engine: Engine }>({ max: mostTold });
  told.set(transport.pool, known);
  const now = caller.now();
  const last = known.get(mount);
  if (last !== undefined && now - last.at < believedFor) return last.engine;
  try {
    const path = buildPath(`${transport.prefix}/v1/sys/internal/ui/mounts`, namesIn(mount));
    const { data } = await transport.parse(uiMount, await caller.send({ method: 'GET', path }));
    const engine = kindOf(data);
    known.set(mount, { at: now, engine });
    return engine;
  } catch (error) {
    // If the server doesn't show the mount, the engine itself refuses the request or accepts it.
    if (isAnswer(error, 400, 403, 404)) return { kind: 'unknown' };
    if (!(error instanceof ServiceError)) throw error;
    // Only the lookup failed: nothing was sent to the engine.
    const { environment, service } = transport;
    throw new ServiceError(
      error.code,
      error.message,
      { ...error.init, environment, service, cause: error },
      { delivery: 'not-sent', ...(error.serviceStatus !== undefined && { status: error.serviceStatus }) },
    );
  }
}

function kindOf({ type, options }: ToldEngine): Engine {
  if (type !== 'kv' && type !== 'generic') return { kind: 'other', type: type.slice(0, typeLength) };
  return { kind: String(options?.['version']) === '2' ? 'versioned' : 'plain' };
}

/** Whether an engine keeps only the newest values, without versions and metadata. */
export async function isPlain(caller: SecretsCaller, mount: string): Promise<boolean> {
  return (await engineAt(caller, mount)).kind === 'plain';
}

/**
 * Refuses engines other than key-value version 2. An engine of another kind might take the address of a version, its
 * metadata or the settings for the name of a key, and store the body as its value.
 * @throws ProblemError `invalid-request`
 */
export async function checkVersioned(caller: SecretsCaller, mount: string): Promise<void> {
  const engine = await engineAt(caller, mount);
  if (engine.kind === 'other') throw notKeyValue(caller, engine.type);
  if (engine.kind === 'plain') {
    throw refusal(
      caller,
      "This engine isn't versioned (KV version 1) and has no metadata or settings. The console can read its secrets, but doesn't write to this engine.",
    );
  }
}

/**
 * Sends a request to an engine.
 * @throws ServiceError; if no engine is mounted there, it names the path
 */
export async function sendTo(
  caller: SecretsCaller,
  mount: string,
  request: Omit<ServiceRequest, 'headers'>,
  ...also: readonly number[]
): Promise<ServiceAnswer> {
  const answer = await caller.send(request, 404, ...also);
  if (answer.status !== 404) return answer;
  const { environment, service } = caller.transport;
  if (refusalTexts(answer).includes('no handler for route')) {
    throw new ServiceError(
      'not-found',
      `No engine is mounted at "${mount}". Check the path, or choose another engine.`,
      { environment, service },
      { delivery: 'answered', status: 404 },
    );
  }
  if (also.includes(404)) return answer;
  throw errorOf(answer, caller.transport);
}

/** Sends a write to a versioned key-value engine. @throws the errors of `checkVersioned` and `sendTo` */
export async function writeTo(
  caller: SecretsCaller,
  mount: string,
  request: Omit<ServiceRequest, 'headers'>,
): Promise<ServiceAnswer> {
  await checkVersioned(caller, mount);
  return sendTo(caller, mount, request);
}

/** The problem of an engine that isn't a key-value engine. */
export function notKeyValue(caller: SecretsCaller, type?: string): ProblemError {
  const what = type === undefined ? "isn't a key-value engine" : `has the type "${type}"`;
  return refusal(caller, `The engine at this path ${what}, so it has no secrets to list.`);
}

/** Whether a plugin is a cloud credentials engine, judging by its name. */
export function isCloudPlugin(name: string): boolean {
  return name === 'cloud' || name === 'aws' || /secrets-(?:aws|cloud)/.test(name);
}

/** @throws ProblemError `invalid-request` if another engine is at the path, to which nothing is sent */
export async function checkCloud(caller: SecretsCaller, mount: string): Promise<void> {
  const engine = await engineAt(caller, mount);
  if (engine.kind === 'unknown' || (engine.kind === 'other' && isCloudPlugin(engine.type))) return;
  throw refusal(caller, 'No cloud credentials engine is mounted at this path.');
}

function refusal({ transport: { environment, service } }: SecretsCaller, detail: string): ProblemError {
  return new ProblemError('invalid-request', detail, { environment, service });
}
