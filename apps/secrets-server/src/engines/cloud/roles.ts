import type { Handler, Route } from '../../core/backend.ts';
import { listNames, listPart, type ReadNames } from '../../core/list-names.ts';
import { Refusal, notFound } from '../../core/refusal.ts';
import type { CloudRole } from '../../domain/cloud/role.ts';
import type { Engine } from './engine.ts';
import { legacyFields, roleFields, roleOf } from './role-fields.ts';

/** Valid names of roles. */
const namePattern = /^\w(?:[\w.@-]*\w)?$/;

export function roleRoutes({ store }: Engine): Route[] {
  return [
    {
      path: 'roles',
      operations: {
        list: async (request) => {
          const read: ReadNames = (from, batch) => store.roles(request.mount.id, from, batch);
          const keys = await listNames(read, '', listPart(request), request.giveWay);
          return keys.length === 0 ? undefined : { data: { keys } };
        },
      },
    },
    {
      path: 'roles/:name',
      fields: [...roleFields, ...legacyFields],
      forwarded: true,
      exists: ({ mount }, { name = '' }) => store.role(mount.id, name) !== undefined,
      operations: {
        read: named(({ mount }, { name = '' }) => {
          const role = store.role(mount.id, name);
          return role === undefined ? undefined : { data: wireRole(role) };
        }),
        update: named(async ({ mount, body }, { name = '' }) => {
          let warnings: readonly string[] = [];
          // The fields are read outside the write, which blocks others.
          const change = roleOf(body);
          await store.changeRole(mount.id, name, (now) => {
            const written = change(now);
            warnings = written.warnings;
            return written.role;
          });
          return warnings.length === 0 ? undefined : { warnings };
        }),
        delete: named(async ({ mount }, { name = '' }) => {
          if (!(await store.removeRole(mount.id, name))) throw notFound();
          return undefined;
        }),
      },
    },
  ];
}

/** Answers an invalid name as not found. */
function named(handler: Handler): Handler {
  return (request, params) => {
    if (!namePattern.test(params['name'] ?? '')) throw new Refusal(404, ['unsupported path']);
    return handler(request, params);
  };
}

function wireRole(role: CloudRole): Readonly<Record<string, unknown>> {
  return {
    credential_type: role.credentialTypes.join(','),
    default_sts_ttl: role.defaultStsTtl,
    external_id: role.externalId,
    iam_groups: role.iamGroups,
    iam_tags: role.iamTags,
    ...(role.invalidData !== '' && { invalid_data: role.invalidData }),
    max_sts_ttl: role.maxStsTtl,
    permissions_boundary_arn: role.permissionsBoundaryArn,
    policy_arns: role.policyArns,
    policy_document: role.policyDocument,
    role_arns: role.roleArns,
    session_tags: role.sessionTags,
    user_path: role.userPath,
  };
}
