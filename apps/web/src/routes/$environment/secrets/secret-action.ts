import type { IconType } from '@gatehouse/ui/icon';
import type { ComponentType } from 'react';
import type { SecretPlace } from '#queries/secrets.ts';

/** An entry of the menu of a secret or a folder. */
export interface Action<Subject> {
  readonly id: string;
  readonly label: string;
  readonly icon: IconType;
  readonly isDanger?: boolean;
  /** Actions of one group stand together; a line divides groups. */
  readonly group: 'use' | 'place' | 'remove';
  /** Why it cannot be done with this one; undefined where it can. */
  readonly reasonAgainst?: (subject: Subject, place: SecretPlace) => string | undefined;
  /** Leads to a page of its own… */
  readonly hrefOf?: (place: SecretPlace) => string;
  /** …or opens this, loaded lazily: whoever shows the menu wraps it in Suspense. */
  readonly Dialog?: ComponentType<ActionDialogProps<Subject>>;
}

export interface ActionDialogProps<Subject> {
  readonly place: SecretPlace;
  readonly subject: Subject;
  /** Closes it; `goTo` is where to go then, such as when the secret is gone. */
  readonly onClose: (goTo?: string) => void;
}
