import { Refusal } from '../../core/refusal.ts';

/** A key with its secret. */
export interface AccessKey {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** A user as it is to be created. */
export interface NewUser {
  readonly userName: string;
  /** Empty for the provider's own. */
  readonly path: string;
  /** Empty for none. */
  readonly permissionsBoundaryArn: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly policyArns: readonly string[];
  /** Empty for none. */
  readonly policyDocument: string;
  readonly groups: readonly string[];
}

/** What limits temporary credentials further. */
export interface SessionPolicies {
  readonly policyArns: readonly string[];
  /** JSON; undefined for none. */
  readonly policyDocument: string | undefined;
}

/** What a session of an assumed role has beside its policies. */
export interface SessionTraits {
  readonly tags: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly externalId: string;
}

/** Credentials for a time. */
export interface SessionCredentials extends AccessKey {
  readonly sessionToken: string;
  /** Milliseconds since the epoch, by the provider's clock; undefined when it does not say. */
  readonly expireTime: number | undefined;
}

/**
 * What the engine asks of the provider, under one set of credentials. Nothing is kept between calls.
 * @throws ProviderFault from each
 */
export interface Provider {
  /** Its access key; empty where the machine's role gives one. */
  readonly ownKey: string;
  /** Of its configuration. */
  readonly origin: string;
  /** Creates a user; answers its ARN. */
  createUser(user: NewUser): Promise<string>;
  /** Gives a user its policies and groups. */
  equipUser(user: NewUser): Promise<void>;
  /** Creates a key. Others of the user than `kept` are those whose answers were lost: they are deleted. */
  createAccessKey(userName: string, kept: readonly string[]): Promise<AccessKey>;
  /** Removes a user with its keys, policies and memberships, as far as they are there: whether the user was. */
  removeUser(userName: string): Promise<boolean>;
  assumeRole(
    roleArn: string,
    sessionName: string,
    ttl: number,
    policies: SessionPolicies,
    traits: SessionTraits,
  ): Promise<SessionCredentials & { readonly arn: string }>;
  federationToken(name: string, ttl: number, policies: SessionPolicies): Promise<SessionCredentials>;
  /** The policies of groups: documents of those written into them, and ARNs of the others. */
  groupPolicies(
    groups: readonly string[],
  ): Promise<{ readonly documents: readonly string[]; readonly policyArns: readonly string[] }>;
  /** Name of the user whose credentials these are. */
  ownUserName(): Promise<string>;
  /** Number of the account. */
  account(): Promise<string>;
  accessKeys(userName: string): Promise<readonly { readonly id: string; readonly createdTime: number }[]>;
  /** One that is not there is no fault: whether it was. */
  deleteAccessKey(userName: string, id: string): Promise<boolean>;
  close(): void;
}

/** A call that the provider refused, or that did not reach it. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  /** The provider's word for it, or the connection's. */
  readonly code: string;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** Whether nothing was done: refused at the first attempt. Else an attempt without an answer may have had its effect. */
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

  /** Whether no answer came in time, or at all. */
  get unanswered(): boolean {
    return this.status === undefined;
  }

  /** Whether the provider answered that it will not do it. */
  get refused(): boolean {
    return this.status !== undefined && this.status >= 400 && this.status < 500;
  }
}

/**
 * What the caller gets to know: 400 for what the provider refused, 429 when it is asked too often, 502 when it failed.
 * @param more ends the message
 */
export function refusalOf(fault: ProviderFault, more = ''): Refusal {
  const tooOften = /Throttl|TooManyRequests|RequestLimitExceeded/.test(fault.code);
  return new Refusal(tooOften ? 429 : fault.refused ? 400 : 502, [fault.message + more]);
}
