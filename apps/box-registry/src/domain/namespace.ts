/** Whose boxes these are: a person's or an organization's. */
export interface Namespace {
  /** Undefined for a person who has no boxes yet. */
  readonly id: string | undefined;
  readonly kind: 'person' | 'organization';
  readonly name: string;
  /** The person; undefined for an organization. */
  readonly accountId: string | undefined;
  /** Markdown. */
  readonly profile: string;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
}

/** A namespace that is on disk. */
export interface StoredNamespace extends Namespace {
  readonly id: string;
}

/** What a member may do in an organization: manage it, publish its boxes, or see the private ones. */
export const memberRoles = ['owner', 'publisher', 'reader'] as const;

export type MemberRole = (typeof memberRoles)[number];

/** Whether a text names a role in an organization. */
export function isMemberRole(text: string): text is MemberRole {
  return memberRoles.some((role) => role === text);
}
