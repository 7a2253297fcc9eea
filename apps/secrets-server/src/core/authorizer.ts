import type { Request } from './backend.ts';
import type { TokenEntry } from './identity.ts';

/** A wrapped answer, as `wrap_info` tells it. */
export interface WrapInfo {
  readonly token: string;
  readonly accessor: string;
  /** Seconds. */
  readonly ttl: number;
  readonly creation_time: string;
  readonly creation_path: string;
  readonly [name: string]: unknown;
}

/** Who calls, and what they may do. */
export interface Authorizer {
  /**
   * The entry of a token that is valid now in the namespace; counts one use of it.
   * @param token as it was presented
   */
  authenticate(
    token: string,
    namespace: string,
    now: number,
  ): TokenEntry | undefined | Promise<TokenEntry | undefined>;
  /** Whose a token is that is valid now, wherever it reaches; counts no use of it. */
  ownerOf(token: string, now: number): string | undefined;
  /** Whether the policies of the caller grant the request: its path, operation, sudo, parameters and wrapping. */
  allowed(caller: TokenEntry, request: Request): boolean;
  /** Whether the caller may do anything at all at or below a path of the namespace, such as a mount's. */
  reaches(caller: TokenEntry, namespace: string, path: string): boolean;
  /** Keeps an answer's JSON for one reading. @param ttl seconds */
  wrap(request: Request, answer: string, ttl: number): Promise<WrapInfo>;
  /** Before the work of a request: what is done and cannot be told is lost. @throws Refusal 400 where `wrap` would be refused */
  checkRoom(request: Request): void;
}
