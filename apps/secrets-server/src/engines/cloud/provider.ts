import { Refusal } from '../../core/refusal.ts';

export interface AccessKey {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** A user to be created. */
export interface NewUser {
  readonly userName: string;
  /** Empty for the provider's default. */
  readonly path: string;
  /** Empty for none. */
  readonly permissionsBoundaryArn: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly policyArns: readonly string[];
  /** Empty for none. */
  readonly policyDocument: string;
  readonly groups: readonly string[];
}

/** Policies that further limit temporary credentials. */
export interface SessionPolicies {
  readonly policyArns: readonly string[];
  /** JSON; undefined for none. */
  readonly policyDocument: string | undefined;
}

/** Other options of an assumed role's session. */
export interface SessionTraits {
  readonly tags: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly externalId: string;
}

/** Temporary credentials. */
export interface SessionCredentials extends AccessKey {
  readonly sessionToken: string;
  /** In milliseconds since the epoch on the provider's clock; undefined if unknown. */
  readonly expireTime: number | undefined;
}

/**
 * The provider's operations with one set of credentials. Nothing is cached between calls.
 * @throws ProviderFault from each
 */
export interface Provider {
  /** The engine's access key; empty if the machine's role provides one. */
  readonly ownKey: string;
  /** The origin of the configuration. */
  readonly origin: string;
  /** Creates a user and returns the ARN. */
  createUser(user: NewUser): Promise<string>;
  /** Adds a user's policies and groups. */
  equipUser(user: NewUser): Promise<void>;
  /** Creates a key. If answers were lost, deletes the user's other keys except those in `kept`. */
  createAccessKey(userName: string, kept: readonly string[]): Promise<AccessKey>;
  /** Deletes a user with all keys, policies and memberships. Returns whether the user existed. */
  removeUser(userName: string): Promise<boolean>;
  assumeRole(
    roleArn: string,
    sessionName: string,
    ttl: number,
    policies: SessionPolicies,
    traits: SessionTraits,
  ): Promise<SessionCredentials & { readonly arn: string }>;
  federationToken(name: string, ttl: number, policies: SessionPolicies): Promise<SessionCredentials>;
  /**
   * Reads the policies of a role's groups: the documents of inline policies, and the ARNs of attached ones.
   * @param ownDocument of the role; its size and the policies' have a common limit
   * @param giveWay called between calls
   */
  groupPolicies(
    groups: readonly string[],
    ownDocument: string,
    giveWay: () => Promise<void>,
  ): Promise<{ readonly documents: readonly string[]; readonly policyArns: readonly string[] }>;
  /** The name of the user that these credentials belong to. */
  ownUserName(): Promise<string>;
  /** The account's number. */
  account(): Promise<string>;
  accessKeys(userName: string): Promise<readonly { readonly id: string; readonly createdTime: number }[]>;
  /** Returns whether the key existed; a missing key is no error. */
  deleteAccessKey(userName: string, id: string): Promise<boolean>;
}

/** A call that the provider refused or that failed. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  /** The error code of the provider or of the connection. */
  readonly code: string;
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /**
   * Whether nothing was done, because the first attempt was refused. After a lost answer, an earlier attempt may have
   * taken effect.
   */
  readonly refusedAtOnce: boolean;

  constructor(
    message: string,
    facts: { readonly code: string; readonly status: number | undefined; readonly attempts: number },
  ) {
    super(message);
    this.code = facts.code;
    this.status = facts.status;
    this.refusedAtOnce = this.refused && facts.attempts === 1;
  }

  /** Whether no answer arrived. */
  get unanswered(): boolean {
    return this.status === undefined;
  }

  /** Whether the provider refused the call. */
  get refused(): boolean {
    return this.status !== undefined && this.status >= 400 && this.status < 500;
  }
}

/**
 * Converts a fault to a refusal: 400 if the provider refused, 429 if it is called too often, 502 if it failed.
 * @param more is appended to the message
 */
export function refusalOf(fault: ProviderFault, more = ''): Refusal {
  const tooOften = /Throttl|TooManyRequests|RequestLimitExceeded/.test(fault.code);
  return new Refusal(tooOften ? 429 : fault.refused ? 400 : 502, [fault.message + more]);
}
