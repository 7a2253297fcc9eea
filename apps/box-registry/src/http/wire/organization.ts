import { renderMarkdown } from '../../domain/markdown.ts';
import type { StoredNamespace } from '../../domain/namespace.ts';
import type { NamespaceAction } from '../../domain/permissions.ts';
import type { Context } from '../context.ts';
import { wireTime } from './time.ts';

/** The wire form of an organization. Only callers who may read its private boxes see its members. */
export function wireOrganization(
  context: Context,
  organization: StoredNamespace,
  actions: readonly NamespaceAction[],
) {
  return {
    username: organization.name,
    profile_html: renderMarkdown(organization.profile),
    profile_markdown: organization.profile,
    created_at: wireTime(organization.createdTime),
    actions,
    members: actions.includes('read') ? wireMembers(context, organization.id) : null,
  };
}

function wireMembers(context: Context, organizationId: string) {
  return context.members.list(organizationId).flatMap(({ accountId, role, createdTime }) => {
    const account = context.accounts.get(accountId);
    if (account === undefined) return [];
    return [
      {
        username: account.loginName,
        full_name: account.fullName,
        role,
        created_at: wireTime(createdTime),
      },
    ];
  });
}
