import type { Body } from './body.ts';
import type { TokenEntry } from './identity.ts';
import type { JsonText } from './json/json-text.ts';
import type { Mount } from './mount.ts';
import type { Refusal } from './refusal.ts';

/** The requested operation. A write is `create` if the route's `exists` returns false, else `update`. */
export type Operation = 'create' | 'update' | 'read' | 'patch' | 'delete' | 'list';

/** A request for backends: routed, authenticated and authorized. */
export interface Request {
  /** A UUID, returned as `request_id`. */
  readonly id: string;
  /** The namespace's path with a trailing slash, such as `team/`; empty for the root namespace. */
  readonly namespace: string;
  readonly operation: Operation;
  readonly mount: Mount;
  /** The path below the mount, decoded once: `data/some/key`. For a list, it ends with a slash unless it is empty. */
  readonly path: string;
  /** The path below the namespace, including the mount: `secret/data/some/key`. Policies refer to it. */
  readonly fullPath: string;
  /** Whether the path requires the sudo capability as well as that of the operation. */
  readonly needsSudo: boolean;
  readonly query: URLSearchParams;
  /** Empty unless the operation is create, update or patch. */
  readonly body: Body;
  readonly contentType: string | undefined;
  /** The authenticated caller; undefined only on paths that need no token. */
  readonly caller: TokenEntry | undefined;
  /** The token's text, for operations on the caller's own token. */
  readonly token: string | undefined;
  /** The lifetime of the wrapped answer in seconds; undefined without wrapping. */
  readonly wrapTtl: number | undefined;
  /** In milliseconds since the epoch. */
  readonly now: number;
  /** The client's address; undefined for a Unix socket client that doesn't send one. */
  readonly address: string | undefined;
  /** Lets other requests continue between the parts of a long read. @throws HttpError 499 when the client has left */
  readonly giveWay: () => Promise<void>;
}

/** The lease in an answer. */
export interface Lease {
  readonly id: string;
  /** In seconds. */
  readonly duration: number;
  readonly renewable: boolean;
}

/** An answer in the usual envelope. */
export interface Answer {
  /** 200 by default. */
  readonly status?: number;
  readonly data?: Readonly<Record<string, unknown>> | JsonText | null;
  /** Repeats the members of `data` at the top level, as some paths of sys require. */
  readonly repeatData?: boolean;
  readonly auth?: Readonly<Record<string, unknown>>;
  readonly wrapInfo?: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly string[];
  readonly lease?: Lease;
  /** The whole body instead of the envelope, for the few paths with their own format. An empty text means no body. */
  readonly bare?: Readonly<Record<string, unknown>> | JsonText;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Undefined is answered with 204 after a write or a delete, and with 404 after a read or a list. */
export type Result = Answer | undefined;

/** The decoded values of a pattern's parameters. For `data/*path` and `data/a/b`, `path` is `a/b`. */
export type Params = Readonly<Record<string, string>>;

/** Handles one operation. @throws Refusal, StoreUnavailable */
export type Handler = (request: Request, params: Params) => Result | Promise<Result>;

/** A namespace, or a mount in a namespace. */
export interface Place {
  /** Empty for the root. */
  readonly namespace: string;
  /** The mount's path, with a trailing slash. */
  readonly mount?: string;
}

/** A place that a request changes. */
export interface ChangedPlace extends Place {
  /** Whether the mount is excluded from replication. */
  readonly isLocal?: boolean;
}

/** A path of a backend, or a pattern of paths. */
export interface Route {
  /** `policies/acl/:name` (one segment), `data/*path` (the rest, which may be empty), `mounts/*path/tune`. */
  readonly path: string;
  /** `update` also handles `create` unless that has its own handler. */
  readonly operations: Partial<Record<Operation, Handler>>;
  /** The known members of a body; others cause a warning. Without `fields`, all members are accepted. */
  readonly fields?: readonly string[];
  /**
   * The path below the mount of the record that a request acts on, if several paths mean the same record. Its policies
   * must permit the request too, so that another spelling does not evade their rules.
   */
  readonly canonical?: (params: Params) => string;
  /** Distinguishes create from update; without `exists`, every write is an update. */
  readonly exists?: (request: Request, params: Params) => boolean;
  /** Requires the sudo capability too. */
  readonly sudo?: boolean;
  /** Answers HEAD like a read. */
  readonly head?: boolean;
  /** Requires no token. */
  readonly withoutToken?: boolean;
  /** Requires no token, but returns more to a caller with one. */
  readonly tokenWelcome?: boolean;
  /** The refusal of an unknown token; the usual one if undefined. */
  readonly unknownToken?: (request: Request) => Refusal | undefined;
  /** Available while sealed. */
  readonly whileSealed?: boolean;
  /** Refused outside the root namespace. */
  readonly rootNamespaceOnly?: boolean;
  /**
   * Whether writes change shared records, so that a secondary forwards them to its primary. Writes to local mounts are
   * never forwarded. True for all writes of the route, or a function for some.
   */
  readonly forwarded?: boolean | ((request: Request, params: Params) => boolean);
  /** The mounts and namespaces that a request changes, if that is not the place that handles it. */
  readonly about?: (request: Request, params: Params) => readonly ChangedPlace[];
}

/** The route that matches a path, with the values of its parameters. */
export interface Match {
  readonly route: Route;
  readonly params: Params;
}

/** Whatever is mounted: a secrets engine, an auth method, or the system backend. */
export interface Backend {
  /** @param path below the mount, without the trailing slash of a list */
  match(path: string): Match | undefined;
}
