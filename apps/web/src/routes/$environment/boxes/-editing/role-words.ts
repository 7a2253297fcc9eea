/** What an organization's members may do. */
import type { MemberRole } from '@gatehouse/api-types/console/box-organizations';
import type { OwnerMay } from '@gatehouse/api-types/console/boxes';

const roleWords: Readonly<Record<MemberRole, { readonly word: string; readonly meaning: string }>> = {
  owner: { word: 'Owner', meaning: 'Manages the organization and its members, and publishes boxes.' },
  publisher: { word: 'Publisher', meaning: 'Creates, changes, releases and deletes boxes.' },
  reader: { word: 'Reader', meaning: 'Sees and downloads private boxes.' },
};

export function memberRoleWord(role: MemberRole): string {
  return roleWords[role].word;
}

export const memberRoleChoices = (['owner', 'publisher', 'reader'] as const).map((value) => ({
  value,
  label: roleWords[value].word,
  description: roleWords[value].meaning,
}));

/** What you may do with an organization. */
export function mayWords(may: OwnerMay): string {
  if (may === null) return 'Not reported';
  if (may.manage) return 'Manage and publish';
  return may.publish ? 'Publish boxes' : 'Read-only';
}
