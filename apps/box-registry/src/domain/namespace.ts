/** The owner of boxes: a user or an organization. */
export interface Namespace {
  /** Undefined for a user who has no boxes yet. */
  readonly id: string | undefined;
  readonly kind: 'person' | 'organization';
  readonly name: string;
  /** The user; undefined for an organization. */
  readonly accountId: string | undefined;
  /** Markdown. */
  readonly profile: string;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
}

/** A stored namespace. */
export interface StoredNamespace extends Namespace {
  readonly id: string;
}

/** A namespace in a list of all. */
export type ListedNamespace = Omit<StoredNamespace, 'profile' | 'createdTime'>;

/**
 * A member's role in an organization: owners manage it, publishers publish its boxes, readers see its private boxes.
 */
export const memberRoles = ['owner', 'publisher', 'reader'] as const;

export type MemberRole = (typeof memberRoles)[number];

export function isMemberRole(text: string): text is MemberRole {
  return memberRoles.some((role) => role === text);
}
