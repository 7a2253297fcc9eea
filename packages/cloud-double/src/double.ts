import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CloudFault } from './fault.ts';
import { iamActions } from './iam.ts';
import { parametersOf } from './parameters.ts';
import { CloudState } from './state.ts';
import type { CloudSeed, DoubleUser } from './state.ts';
import { stsActions } from './sts.ts';
import { element } from './xml.ts';

export type { CloudSeed, SeedUser } from './state.ts';

/** A fault to inject into a call. */
export interface Injected {
  /** Whether the fault occurs before or after the call takes effect. */
  readonly effect: 'before' | 'after';
  /** The error response; the connection is cut unless given. */
  readonly answer?: { readonly status: number; readonly code: string };
}

/** A user as returned by `dump`. */
export interface DumpedUser {
  readonly path: string;
  readonly boundary: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Key IDs. */
  readonly keys: readonly string[];
  /** ARNs of attached policies. */
  readonly attached: readonly string[];
  /** Documents by name. */
  readonly written: Readonly<Record<string, string>>;
  readonly groups: readonly string[];
}

/** A received call. */
export interface SeenCall {
  readonly action: string;
  readonly keyId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** An IAM and STS server in memory. It checks the access key ID of a call, but not its signature. */
export interface CloudDouble extends AsyncDisposable {
  readonly url: string;
  /** Decides the fault for a call, and can delay it; no faults unless set. */
  inject: ((call: SeenCall, count: number) => Injected | undefined | Promise<undefined>) | undefined;
  /** Milliseconds before a call has its effect. */
  delay: number;
  /** How often a new access key is refused before it becomes valid. */
  newKeyRefusals: number;
  /** Account number in the ARNs of new users. */
  account: string;
  /** All calls so far. */
  readonly calls: readonly SeenCall[];
  /** The users by name. */
  dump(): Readonly<Record<string, DumpedUser>>;
}

export interface CloudDoubleOptions {
  /** A free port unless given. */
  readonly port?: number;
  readonly seed?: CloudSeed;
  /** Milliseconds since the epoch; the machine's clock unless given. */
  readonly now?: () => number;
}

const versions: Readonly<Record<string, { readonly prefix: string; readonly namespace: string }>> = {
  '2010-05-08': { prefix: 'iam', namespace: 'https://iam.amazonaws.com/doc/2010-05-08/' },
  '2011-06-15': { prefix: 'sts', namespace: 'https://sts.amazonaws.com/doc/2011-06-15/' },
};

/** Starts a double on loopback. */
export async function startCloudDouble(options: CloudDoubleOptions = {}): Promise<CloudDouble> {
  const { port = 0, seed = {}, now = Date.now } = options;
  const state = new CloudState(seed, now());
  const calls: SeenCall[] = [];

  /** Returns the XML answer to a call. @throws CloudFault */
  const perform = (form: URLSearchParams, action: string, caller: DoubleUser): string => {
    const { prefix, namespace } = versions[form.get('Version') ?? ''] ?? { prefix: '', namespace: '' };
    const known = prefix === 'iam' ? iamActions : prefix === 'sts' ? stsActions : {};
    const run = Object.hasOwn(known, action) ? known[action] : undefined;
    if (run === undefined) {
      throw new CloudFault(400, 'InvalidAction', `Could not find operation ${action}`);
    }
    if (caller.denied.has(`${prefix}:${action}`)) {
      const text = `User: ${caller.arn} is not authorized to perform: ${prefix}:${action}`;
      throw new CloudFault(403, 'AccessDenied', text);
    }
    const result = element(`${action}Result`, run(state, parametersOf(form), caller, now()));
    return `<${action}Response xmlns="${namespace}">${result}${metadata}</${action}Response>`;
  };

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    const form = new URLSearchParams(text);
    const action = form.get('Action') ?? '';
    const keyId = /Credential=([^/]+)\//.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const call: SeenCall = { action, keyId, parameters: Object.fromEntries(form) };
    calls.push(call);
    if (double.delay > 0) await wait(double.delay);
    const injected = await double.inject?.(call, calls.length);
    const suffer = (): void => {
      if (injected?.answer === undefined) res.destroy();
      else sendFault(res, new CloudFault(injected.answer.status, injected.answer.code, 'Injected.'));
    };
    if (injected?.effect === 'before') return suffer();
    try {
      const body = perform(form, action, callerOf(state, keyId));
      if (injected === undefined) send(res, 200, body);
      else suffer();
    } catch (error) {
      if (!(error instanceof CloudFault)) throw error;
      if (injected === undefined) sendFault(res, error);
      else suffer();
    }
  };

  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: listening } = server.address() as AddressInfo;

  const double: CloudDouble = {
    url: `http://127.0.0.1:${listening}`,
    inject: undefined,
    delay: 0,
    get newKeyRefusals() {
      return state.newKeyRefusals;
    },
    set newKeyRefusals(count) {
      state.newKeyRefusals = count;
    },
    get account() {
      return state.account;
    },
    set account(number) {
      state.account = number;
    },
    calls,
    dump: () =>
      Object.fromEntries(
        [...state.users.values()].map((user) => [
          user.name,
          {
            path: user.path,
            boundary: user.boundary,
            tags: user.tags,
            keys: [...user.keys.keys()],
            attached: [...user.attached],
            written: Object.fromEntries(user.written),
            groups: [...user.groups],
          },
        ]),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return double;
}

function callerOf(state: CloudState, keyId: string): DoubleUser {
  if (keyId === '') {
    throw new CloudFault(403, 'MissingAuthenticationToken', 'Request is missing Authentication Token');
  }
  const holder = state.holder(keyId);
  if (holder === undefined || holder.key.refusals > 0) {
    if (holder !== undefined) holder.key.refusals -= 1;
    throw new CloudFault(
      403,
      'InvalidClientTokenId',
      'The security token included in the request is invalid.',
    );
  }
  return holder.user;
}

const metadata =
  '<ResponseMetadata><RequestId>00000000-0000-0000-0000-000000000000</RequestId></ResponseMetadata>';

function sendFault(res: ServerResponse, { status, code, message }: CloudFault): void {
  const error = element('Error', {
    Type: status < 500 ? 'Sender' : 'Receiver',
    Code: code,
    Message: message,
  });
  send(res, status, `<ErrorResponse>${error}<RequestId>0</RequestId></ErrorResponse>`);
}

function send(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, { 'Content-Type': 'text/xml', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}
