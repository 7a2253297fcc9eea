import type { Body } from './body.ts';
import type { TokenEntry } from './identity.ts';
import type { JsonText } from './json/json-text.ts';
import type { Mount } from './mount.ts';
import type { Refusal } from './refusal.ts';

/** What a request asks for. A write is `create` where the path's `exists` says there is nothing yet, else `update`. */
export type Operation = 'create' | 'update' | 'read' | 'patch' | 'delete' | 'list';

/** A request as the backends see it: found, authenticated and allowed. */
export interface Request {
  /** A UUID, answered as `request_id`. */
  readonly id: string;
  /** Empty for the root namespace, else its path with a slash at the end: `team/`. */
  readonly namespace: string;
  readonly operation: Operation;
  readonly mount: Mount;
  /** Below the mount, decoded once: `data/some/key`. That of a list ends in a slash unless it is empty. */
  readonly path: string;
  /** Below the namespace, with the mount: `secret/data/some/key`. What policies speak of. */
  readonly fullPath: string;
  /** Whether the path asks for the capability sudo beside the operation's own. */
  readonly needsSudo: boolean;
  readonly query: URLSearchParams;
  /** Empty for operations other than create, update and patch. */
  readonly body: Body;
  readonly contentType: string | undefined;
  /** Whose token came with it; undefined only for paths without a token. */
  readonly caller: TokenEntry | undefined;
  /** The token's text, for operations on the caller's own token. */
  readonly token: string | undefined;
  /** Seconds for which the answer is to be wrapped; undefined when it is not. */
  readonly wrapTtl: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The address it came from; undefined where the client of a Unix socket does not say. */
  readonly address: string | undefined;
}

/** What a caller holds for a time. */
export interface Lease {
  readonly id: string;
  /** Seconds. */
  readonly duration: number;
  readonly renewable: boolean;
}

/** What is answered in the usual envelope. */
export interface Answer {
  /** 200 unless given. */
  readonly status?: number;
  readonly data?: Readonly<Record<string, unknown>> | JsonText | null;
  /** Repeats the members of `data` beside it, as some paths of sys do. */
  readonly repeatData?: boolean;
  readonly auth?: Readonly<Record<string, unknown>>;
  readonly wrapInfo?: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly string[];
  readonly lease?: Lease;
  /** The whole body instead of the envelope: of the few paths that have a form of their own. Empty text is no body. */
  readonly bare?: Readonly<Record<string, unknown>> | JsonText;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Nothing to say: 204 after a write or a delete, 404 after a read or a list. */
export type Result = Answer | undefined;

/** Values of a pattern's parameters, decoded: of `data/*path` and `data/a/b`, `path` is `a/b`. */
export type Params = Readonly<Record<string, string>>;

/** Answers one operation. @throws Refusal, StoreUnavailable */
export type Handler = (request: Request, params: Params) => Result | Promise<Result>;

/** A place of the server: a namespace, and the path of a mount below it where it is a mount's. */
export interface Place {
  /** Empty for the root. */
  readonly namespace: string;
  /** With a slash at the end. */
  readonly mount?: string;
}

/** One path of a backend, or a family of them. */
export interface Route {
  /** `policies/acl/:name` (one segment each), `data/*path` (the rest, which may be empty), `mounts/*path/tune`. */
  readonly path: string;
  /** `update` answers `create` as well unless that has a handler of its own. */
  readonly operations: Partial<Record<Operation, Handler>>;
  /** Members of a body that it knows; others are warned of. All are taken unless given. */
  readonly fields?: readonly string[];
  /** Decides create against update; every write is an update unless given. */
  readonly exists?: (request: Request, params: Params) => boolean;
  /** Needs the capability sudo as well. */
  readonly sudo?: boolean;
  /** A read is answered to HEAD as well. */
  readonly head?: boolean;
  /** Answered without a token. */
  readonly withoutToken?: boolean;
  /** Answered without a token, and says more to who presents one. */
  readonly tokenWelcome?: boolean;
  /** How a token that isn't known is refused; as everywhere when undefined. */
  readonly unknownToken?: (request: Request) => Refusal | undefined;
  /** Answered while sealed. */
  readonly whileSealed?: boolean;
  /** Refused in other namespaces than the root. */
  readonly rootNamespaceOnly?: boolean;
  /**
   * Its writes are of records that clusters share: a secondary passes them to its primary, except those of local mounts.
   * All writes of the path when true; otherwise what it answers true for.
   */
  readonly forwarded?: boolean | ((request: Request, params: Params) => boolean);
  /** The place that its writes are about, where that isn't the one that answers: a mount or a namespace of the path. */
  readonly about?: (request: Request, params: Params) => Place;
}

/** A route that a path was found to be of. */
export interface Match {
  readonly route: Route;
  readonly params: Params;
}

/** What is mounted: a secrets engine, an auth method, or the system itself. */
export interface Backend {
  /** @param path below the mount, without the slash at the end of a list */
  match(path: string): Match | undefined;
}
