import type { IconType } from '@gatehouse/ui/icon';
import type { ComponentType } from 'react';
import type { SecretPlace } from '#queries/secrets.ts';

/** An entry of the menu of a secret or a folder. */
export interface Action<Subject> {
  readonly id: string;
  readonly label: string;
  readonly icon: IconType;
  readonly isDanger?: boolean;
  /** Actions of one group are together; a line separates groups. */
  readonly group: 'use' | 'place' | 'remove';
  /** Why the action isn't possible; undefined if it is. */
  readonly reasonAgainst?: (subject: Subject, place: SecretPlace) => string | undefined;
  /** Either opens this page… */
  readonly hrefOf?: (place: SecretPlace) => string;
  /** …or this lazy dialog, which the menu wraps in Suspense. */
  readonly Dialog?: ComponentType<ActionDialogProps<Subject>>;
}

export interface ActionDialogProps<Subject> {
  readonly place: SecretPlace;
  readonly subject: Subject;
  /** Closes the dialog; `goTo` is the next page, for example when the secret is gone. */
  readonly onClose: (goTo?: string) => void;
}
