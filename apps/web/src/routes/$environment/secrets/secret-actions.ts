/** What can be done with a secret or a folder beside looking at it and editing it: the entries of their menus. */
import type { Secret } from '@gatehouse/api-types/console/secrets';
import type { IconType } from '@gatehouse/ui/icon';
import { ArchiveRestore, FileInput, FileOutput, Flame, FolderInput, Settings2, Trash2 } from 'lucide-react';
import { lazy, type ComponentType } from 'react';
import { engineHref, exportHref, importHref, moveHref, recycleBinHref } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { reasonAgainstDeletingForever, reasonAgainstDeletingNewest } from './-versions/version-reasons.ts';
import { reasonAgainstReading } from './may.ts';

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
  /** …or opens this, which closes itself; `goTo` is where to go then, such as when the secret is gone. */
  readonly Dialog?: ComponentType<ActionDialogProps<Subject>>;
}

export interface ActionDialogProps<Subject> {
  readonly place: SecretPlace;
  readonly subject: Subject;
  readonly onClose: (goTo?: string) => void;
}

/** `Dialog` is loaded lazily: whoever shows the menu wraps it in Suspense. */
export type SecretAction = Action<Secret>;
/** Of a folder; of the engine itself where the path is empty. */
export type FolderAction = Action<null>;

export const secretActions: readonly SecretAction[] = [
  {
    id: 'export',
    label: 'Export to a file',
    icon: FileOutput,
    group: 'use',
    reasonAgainst: ({ may }) => reasonAgainstReading(may),
    hrefOf: (place) => exportHref(place, 'secret'),
  },
  {
    id: 'move',
    label: 'Move, copy or rename',
    icon: FolderInput,
    group: 'place',
    reasonAgainst: ({ revision }) => (revision === '0' ? 'There is no version to take.' : undefined),
    hrefOf: (place) => moveHref(place, 'secret'),
  },
  {
    id: 'delete',
    label: 'Delete the newest version',
    icon: Trash2,
    isDanger: true,
    group: 'remove',
    reasonAgainst: reasonAgainstDeletingNewest,
    Dialog: lazy(async () => ({ default: (await import('./-versions/DeleteNewest.tsx')).DeleteNewest })),
  },
  {
    id: 'delete-forever',
    label: 'Remove for ever',
    icon: Flame,
    isDanger: true,
    group: 'remove',
    reasonAgainst: reasonAgainstDeletingForever,
    Dialog: lazy(async () => ({ default: (await import('./-versions/DeleteForever.tsx')).DeleteForever })),
  },
];

export const folderActions: readonly FolderAction[] = [
  { id: 'import', label: 'Import from a file', icon: FileInput, group: 'use', hrefOf: importHref },
  {
    id: 'export',
    label: 'Export to a file',
    icon: FileOutput,
    group: 'use',
    hrefOf: (place) => exportHref(place, 'folder'),
  },
  {
    id: 'recycle-bin',
    label: 'Recycle bin',
    icon: ArchiveRestore,
    group: 'use',
    hrefOf: recycleBinHref,
  },
  {
    id: 'move',
    label: 'Move, copy or rename',
    icon: FolderInput,
    group: 'place',
    reasonAgainst: (_, { path }) =>
      path === '' ? 'An engine is not moved here: choose a folder in it.' : undefined,
    hrefOf: (place) => moveHref(place, 'folder'),
  },
  { id: 'settings', label: 'Settings of the engine', icon: Settings2, group: 'use', hrefOf: engineHref },
];
