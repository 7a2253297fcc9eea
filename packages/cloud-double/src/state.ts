import { randomBytes } from 'node:crypto';
import { noSuchEntity } from './fault.ts';

/** A user's access key. */
export interface DoubleKey {
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  /** How often the key is still refused before it becomes valid. */
  refusals: number;
}

/** A user and everything that belongs to it. */
export interface DoubleUser {
  readonly name: string;
  readonly path: string;
  readonly arn: string;
  readonly boundary: string;
  readonly createdTime: number;
  readonly tags: Record<string, string>;
  readonly keys: Map<string, DoubleKey>;
  /** ARNs. */
  readonly attached: Set<string>;
  /** Documents by name. */
  readonly written: Map<string, string>;
  readonly groups: Set<string>;
  /** Whether it can sign in to the provider's console. */
  hasPassword: boolean;
  /** Serial numbers of MFA devices. */
  readonly devices: Set<string>;
  /** Denied calls, such as `iam:CreateUser`. */
  readonly denied: ReadonlySet<string>;
}

/** A group with its policies. */
export interface DoubleGroup {
  readonly attached: readonly string[];
  /** Documents by name. */
  readonly written: Readonly<Record<string, string>>;
}

/** The initial state of the double. */
export interface CloudSeed {
  readonly users?: Readonly<Record<string, SeedUser>>;
  readonly groups?: Readonly<Record<string, DoubleGroup>>;
  /** ARNs of policies that can be attached; some of the provider's unless given. */
  readonly policies?: readonly string[];
  /** Longest session in seconds, by ARN of the role. */
  readonly roles?: Readonly<Record<string, number>>;
  /** The external ID that the trust policy requires, by ARN of the role. */
  readonly externalIds?: Readonly<Record<string, string>>;
}

/** A user that exists initially. */
export interface SeedUser {
  /** Secrets by key ID. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Denied calls, such as `iam:CreateUser`. */
  readonly denied?: readonly string[];
}

const providersOwn = [
  'AdministratorAccess',
  'AmazonEC2ReadOnlyAccess',
  'AmazonS3ReadOnlyAccess',
  'PowerUserAccess',
  'ReadOnlyAccess',
  'SecurityAudit',
  'ViewOnlyAccess',
];

/** The state of the double. */
export class CloudState {
  readonly users = new Map<string, DoubleUser>();
  readonly groups: ReadonlyMap<string, DoubleGroup>;
  readonly policies: ReadonlySet<string>;
  readonly roles: ReadonlyMap<string, number>;
  readonly externalIds: ReadonlyMap<string, string>;
  /** Account number. */
  account = '123456789012';
  /** How often a new key is refused before it becomes valid, like a real key in its first seconds. */
  newKeyRefusals = 0;

  constructor(seed: CloudSeed, now: number) {
    this.groups = new Map(Object.entries(seed.groups ?? {}));
    this.roles = new Map(Object.entries(seed.roles ?? {}));
    this.externalIds = new Map(Object.entries(seed.externalIds ?? {}));
    this.policies = new Set(seed.policies ?? providersOwn.map((name) => `arn:aws:iam::aws:policy/${name}`));
    for (const [name, { keys = {}, denied = [] }] of Object.entries(seed.users ?? {})) {
      const user = this.addUser({ name, path: '/', boundary: '', tags: {}, denied, now });
      for (const [id, secret] of Object.entries(keys)) {
        user.keys.set(id, { secret, createdTime: now, refusals: 0 });
      }
    }
  }

  addUser(user: {
    readonly name: string;
    readonly path: string;
    readonly boundary: string;
    readonly tags: Record<string, string>;
    readonly denied: readonly string[];
    readonly now: number;
  }): DoubleUser {
    const { name, path, boundary, tags, denied, now } = user;
    const added: DoubleUser = {
      name,
      path,
      arn: `arn:aws:iam::${this.account}:user${path}${name}`,
      boundary,
      createdTime: now,
      tags,
      keys: new Map(),
      attached: new Set(),
      written: new Map(),
      groups: new Set(),
      hasPassword: false,
      devices: new Set(),
      denied: new Set(denied),
    };
    this.users.set(name, added);
    return added;
  }

  /** @throws CloudFault */
  user(name: string): DoubleUser {
    const user = this.users.get(name);
    if (user === undefined) throw noSuchEntity(`The user with name ${name} cannot be found.`);
    return user;
  }

  /** @throws CloudFault */
  group(name: string): DoubleGroup {
    const group = this.groups.get(name);
    if (group === undefined) throw noSuchEntity(`The group with name ${name} cannot be found.`);
    return group;
  }

  /** The user and the key with this ID. */
  holder(keyId: string): { readonly user: DoubleUser; readonly key: DoubleKey } | undefined {
    for (const user of this.users.values()) {
      const key = user.keys.get(keyId);
      if (key !== undefined) return { user, key };
    }
    return undefined;
  }
}

/** A random ID in the provider's form. @param prefix `AKIA`, `ASIA` */
export function providerId(prefix: string): string {
  return prefix + randomBytes(8).toString('hex').toUpperCase();
}

/** A random secret of the provider's length. */
export function providerSecret(): string {
  return randomBytes(30).toString('base64');
}
