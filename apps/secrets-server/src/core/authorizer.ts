import type { Request } from './backend.ts';
import type { TokenEntry } from './identity.ts';

/** The `wrap_info` of a wrapped answer. */
export interface WrapInfo {
  readonly token: string;
  readonly accessor: string;
  /** In seconds. */
  readonly ttl: number;
  readonly creation_time: string;
  readonly creation_path: string;
  readonly [name: string]: unknown;
}

/** Authenticates callers and checks their permissions. */
export interface Authorizer {
  /** Returns the entry of a token that is valid in the namespace, and counts one use. @param token as presented */
  authenticate(
    token: string,
    namespace: string,
    now: number,
  ): TokenEntry | undefined | Promise<TokenEntry | undefined>;
  /** Whether the token of an authenticated caller is still valid. One that was used up since the caller's use is. */
  holds(caller: TokenEntry, token: string, now: number): boolean;
  /** The owner of a valid token in any namespace, without counting a use; undefined for an invalid token. */
  ownerOf(token: string, now: number): string | undefined;
  /**
   * Compiles the caller's policies in slices, because judging a request can't give way.
   * @throws Refusal 403 if they are too large, 503 if they change again and again
   */
  prepare(caller: TokenEntry, giveWay: () => Promise<void>): Promise<void>;
  /**
   * To be called within a write, before the request is judged.
   * @throws Unprepared if the policies have changed since `prepare` and take long to compile
   */
  requirePrepared(caller: TokenEntry, giveWay: () => Promise<void>): void;
  /** Whether the caller's policies permit the request: its path, operation, sudo, parameters and wrapping. */
  allowed(caller: TokenEntry, request: Request): boolean;
  /** Whether the caller has any permission at or below a path of the namespace, such as a mount's. */
  reaches(caller: TokenEntry, namespace: string, path: string): boolean;
  /**
   * Stores an answer's JSON for one reading.
   * @param ttl in seconds
   * @param granted the accessor of the token that the answer contains, and the owner if no token was sent
   */
  wrap(
    request: Request,
    answer: string,
    ttl: number,
    granted?: { readonly owner?: string | undefined; readonly accessor?: string | undefined },
  ): Promise<WrapInfo>;
  /**
   * Checked before the request's work, whose answer would otherwise be lost.
   * @throws Refusal 400 if `wrap` would refuse
   */
  checkRoom(request: Request): void;
}
