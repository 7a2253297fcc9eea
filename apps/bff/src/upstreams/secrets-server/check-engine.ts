import { uiMount } from '@gatehouse/api-types/services/secrets-server';
import { ProblemError } from '#ground/problem.ts';
import { buildPath } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import { isAnswer, type SecretsCaller } from './client.ts';

/** What a server tells of one engine. */
interface ToldEngine {
  readonly type: string;
  readonly options?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What is at a mount; `unknown` where the server doesn't tell the token. */
type Engine =
  /** Key-value, of the second version. */
  | { readonly kind: 'versioned' }
  /** Key-value, of the first version: it keeps the newest values alone. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'other'; readonly type: string }
  | { readonly kind: 'unknown' };

/** How long an engine is believed to be of the kind that it was found to be, in milliseconds: it may be replaced. */
const believedFor = 15_000;

/** What was last told of engines, by their server's connections. */
const told = new WeakMap<object, Map<string, { readonly at: number; readonly engine: Engine }>>();
/** What each call asked: what isn't told to one token may be told to another. */
const asked = new WeakMap<SecretsCaller, Map<string, Promise<Engine>>>();

/** Characters of an engine's type that are repeated to a person. */
const typeLength = 64;

/** What is at a mount. @throws ServiceError `not-sent` where the server can't be asked: nothing was sent to the engine */
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
    told.get(transport.pool) ?? new Map<string, { readonly at: number; readonly engine: Engine }>();
  told.set(transport.pool, known);
  const now = caller.now();
  const last = known.get(mount);
  if (last !== undefined && now - last.at < believedFor) return last.engine;
  try {
    const path = buildPath(`${transport.prefix}/v1/sys/internal/ui/mounts`, mount.split('/'));
    const { data } = transport.parse(uiMount, await caller.send({ method: 'GET', path }));
    const engine = kindOf(data);
    known.set(mount, { at: now, engine });
    return engine;
  } catch (error) {
    // Where it is not told, the request itself will be refused or is right.
    if (isAnswer(error, 400, 403, 404)) return { kind: 'unknown' };
    if (!(error instanceof ServiceError)) throw error;
    // Whatever became of the question: nothing was sent to the engine.
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

/** Whether an engine keeps the newest values alone: there are neither versions nor metadata to ask for. */
export async function isPlain(caller: SecretsCaller, mount: string): Promise<boolean> {
  return (await engineAt(caller, mount)).kind === 'plain';
}

/**
 * An engine of another kind may take an address below it for the name of a key, and store what is sent as its value; one
 * of the first version would take the address of a version, or of settings, for one. So neither is asked for such.
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

/** The problem of a path with another engine than one for secrets. */
export function notKeyValue(caller: SecretsCaller, type?: string): ProblemError {
  const what = type === undefined ? "isn't a key-value engine" : `has the type "${type}"`;
  return refusal(caller, `The engine at this path ${what}, so it has no secrets to list.`);
}

/** Whether a plugin is a cloud credentials engine, as far as its name says so. */
export function isCloudPlugin(name: string): boolean {
  return name === 'cloud' || name === 'aws' || /secrets-(?:aws|cloud)/.test(name);
}

/** @throws ProblemError `invalid-request` where another engine is at the path: nothing is sent to it */
export async function checkCloud(caller: SecretsCaller, mount: string): Promise<void> {
  const engine = await engineAt(caller, mount);
  if (engine.kind === 'unknown' || (engine.kind === 'other' && isCloudPlugin(engine.type))) return;
  throw refusal(caller, 'No cloud credentials engine is mounted at this path.');
}

function refusal({ transport: { environment, service } }: SecretsCaller, detail: string): ProblemError {
  return new ProblemError('invalid-request', detail, { environment, service });
}
