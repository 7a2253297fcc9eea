import type { Role } from '@gatehouse/service-kit/accounts';

/** The policy that a person of a role bears. */
export const policyOfRole: Readonly<Record<Role, string>> = {
  administrator: 'administrator',
  operator: 'operator',
  'read-only': 'read-only',
};

/** What every token may do with itself: the text that the field's servers begin with, for what there is here. */
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

const administratorText = `# Everything, the paths that need sudo too
path "*" {
    capabilities = ["create", "read", "update", "patch", "delete", "list", "sudo"]
}

# The default policy names this path exactly, for looking up one lease; here it is for all of them
path "sys/leases/lookup" {
    capabilities = ["update", "list", "sudo"]
}
`;

/** Engines are mounted one or two folders deep as a rule; what is deeper asks for a policy of its own. */
const mounts = ['+', '+/+'];

/**
 * Folders of these names below the first one would make an engine's own paths look like a secret's to the policies below:
 * "+/data/*" also stands for the roles of an engine at platform/data.
 */
export const foldersOfPolicies: ReadonlySet<string> = new Set([
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

/**
 * A path of an engine itself. Two folders deep it ends in `*`: without it "+/+/config" would decide over secret/data/config,
 * a secret of that name, before "+/data/*" does.
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

/** The policies that exist from the start, by name. All of them can be edited. */
export const initialPolicies: Readonly<Record<string, string>> = {
  default: defaultText,
  administrator: administratorText,
  operator: operatorText,
  'read-only': readOnlyText,
};
