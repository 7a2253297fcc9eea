import type { Role } from '@gatehouse/service-kit/accounts';
import { badRequest } from '../../core/refusal.ts';

export const policyOfRole: Readonly<Record<Role, string>> = {
  administrator: 'administrator',
  operator: 'operator',
  'read-only': 'read-only',
};

/** The permissions of every token for itself: the usual default policy, limited to the paths that this server has. */
const defaultText = `# Allow tokens to look up their own properties
path "auth/token/lookup-self" {
    capabilities = ["read"]
}

# Allow tokens to renew themselves
path "auth/token/renew-self" {
    capabilities = ["update"]
}

# Allow tokens to revoke themselves
path "auth/token/revoke-self" {
    capabilities = ["update"]
}

# Allow a token to look up its own capabilities on a path
path "sys/capabilities-self" {
    capabilities = ["update"]
}

# Allow a token to look up its resultant ACL from all policies. This is useful
# for pages that show what may be done. It is an internal path because the
# format may change at any time based on how the internal ACL features and
# capabilities change.
path "sys/internal/ui/resultant-acl" {
    capabilities = ["read"]
}

# Allow a token to renew a lease via lease_id in the request body; old path for
# old clients, new path for newer
path "sys/renew" {
    capabilities = ["update"]
}
path "sys/leases/renew" {
    capabilities = ["update"]
}

# Allow looking up lease properties. This requires knowing the lease ID ahead
# of time and does not divulge any sensitive information.
path "sys/leases/lookup" {
    capabilities = ["update"]
}

# Allow a token to wrap arbitrary values in a response-wrapping token
path "sys/wrapping/wrap" {
    capabilities = ["update"]
}

# Allow a token to look up the creation time and TTL of a given
# response-wrapping token
path "sys/wrapping/lookup" {
    capabilities = ["update"]
}

# Allow a token to unwrap a response-wrapping token. This is a convenience to
# avoid client token swapping since this is also part of the response wrapping
# policy.
path "sys/wrapping/unwrap" {
    capabilities = ["update"]
}
`;

const administratorText = `# Everything, including paths that require sudo
path "*" {
    capabilities = ["create", "read", "update", "patch", "delete", "list", "sudo"]
}

# The default policy names this exact path with only "update", and an exact path overrides "*". This grants the rest
path "sys/leases/lookup" {
    capabilities = ["update", "list", "sudo"]
}
`;

/** Initial policies cover engines mounted one or two segments deep; deeper mounts require their own policies. */
const mounts = ['+', '+/+'];

const foldersOfPolicies: ReadonlySet<string> = new Set([
  'data',
  'metadata',
  'subkeys',
  'delete',
  'undelete',
  'destroy',
  'config',
  'roles',
  'creds',
  'sts',
]);

/** What "+/+/config*" and the like match in the third place. */
const ownPathStart = /^(?:config|metadata|roles)/;

/**
 * Checks the path of a new mount or namespace, with the namespaces around it. Some segments may come only first, because
 * further down the policies below would confuse them with an engine's secrets: "+/data/*" also matches the roles of an
 * engine mounted at platform/data, and sys/mounts of a namespace platform/data.
 * @throws Refusal 400 that names the segment
 */
export function checkPolicyFolders(path: string): void {
  const folder = path
    .split('/')
    .find(
      (segment, place) =>
        (place > 0 && foldersOfPolicies.has(segment)) || (place > 1 && ownPathStart.test(segment)),
    );
  if (folder !== undefined)
    throw badRequest(
      `the path ${path} contains the folder "${folder}", which the built-in policies treat as part of an engine. Choose another name.`,
    );
}

/**
 * Pattern for an engine's own path. With two segments the pattern ends in `*`. Without the star, "+/+/config" would
 * take precedence over "+/data/*" for secret/data/config, which is a secret named config.
 */
const ownPath = (mount: string, path: string): string => `path "${mount}/${path}${mount === '+' ? '' : '*'}"`;

const protectedText = `
# What "+/+/config*" is not meant for
path "+/+/config/*" {
    capabilities = ["deny"]
}
# The system itself is not an engine
path "sys/*" {
    capabilities = ["deny"]
}
path "auth/*" {
    capabilities = ["deny"]
}
`;

const operatorText = `# Read and write secrets in the key-value engines, and have the cloud engines issue credentials
${mounts
  .map(
    (mount) => `path "${mount}/data/*" {
    capabilities = ["create", "read", "update", "patch", "delete"]
}
path "${mount}/metadata/*" {
    capabilities = ["create", "read", "update", "patch", "delete", "list"]
}
${ownPath(mount, 'metadata')} {
    capabilities = ["list"]
}
path "${mount}/subkeys/*" {
    capabilities = ["read"]
}
path "${mount}/delete/*" {
    capabilities = ["create", "update"]
}
path "${mount}/undelete/*" {
    capabilities = ["create", "update"]
}
path "${mount}/destroy/*" {
    capabilities = ["create", "update"]
}
${ownPath(mount, 'config')} {
    capabilities = ["read"]
}
${ownPath(mount, 'config/lease')} {
    capabilities = ["read"]
}
${ownPath(mount, 'roles')} {
    capabilities = ["list"]
}
path "${mount}/roles/*" {
    capabilities = ["read", "list"]
}
path "${mount}/creds/*" {
    capabilities = ["read", "update"]
}
path "${mount}/sts/*" {
    capabilities = ["read", "update"]
}
`,
  )
  .join('')}${protectedText}`;

const readOnlyText = `# Read and list secrets in the key-value engines
${mounts
  .map(
    (mount) => `path "${mount}/data/*" {
    capabilities = ["read"]
}
path "${mount}/metadata/*" {
    capabilities = ["read", "list"]
}
${ownPath(mount, 'metadata')} {
    capabilities = ["list"]
}
path "${mount}/subkeys/*" {
    capabilities = ["read"]
}
${ownPath(mount, 'config')} {
    capabilities = ["read"]
}
`,
  )
  .join('')}${protectedText}`;

/** The policies that a new server has, by name. All can be edited. */
export const initialPolicies: Readonly<Record<string, string>> = {
  default: defaultText,
  administrator: administratorText,
  operator: operatorText,
  'read-only': readOnlyText,
};
