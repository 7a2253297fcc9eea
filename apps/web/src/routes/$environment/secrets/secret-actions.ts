/** The entries in the menus of secrets and folders, except view and edit. */
import type { Secret } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import { lazy } from '@gatehouse/ui/lazy';
import {
  ArchiveRestore,
  FileInput,
  FileOutput,
  Flame,
  FolderInput,
  Search,
  Settings2,
  Trash2,
} from 'lucide-react';
import {
  engineHref,
  exportHref,
  findValueHref,
  importHref,
  moveHref,
  recycleBinHref,
} from '#components/places/secrets.ts';
import { reasonAgainstDeletingForever, reasonAgainstDeletingNewest } from './-versions/version-reasons.ts';
import { reasonAgainstReading } from './may.ts';
import type { Action } from './secret-action.ts';

export const secretActions: readonly Action<Secret>[] = [
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
    reasonAgainst: ({ revision, may }) =>
      revision === '0'
        ? 'This secret has no version to move or copy.'
        : revision === unknownRevision
          ? reasonAgainstReading(may)
          : undefined,
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
    label: 'Delete permanently',
    icon: Flame,
    isDanger: true,
    group: 'remove',
    reasonAgainst: reasonAgainstDeletingForever,
    Dialog: lazy(async () => ({ default: (await import('./-versions/DeleteForever.tsx')).DeleteForever })),
  },
];

const findValue = {
  id: 'find-value',
  label: 'Find a value',
  icon: Search,
  group: 'use',
  hrefOf: findValueHref,
} as const;

/** For secrets and folders of unversioned engines. */
export const actionsWithoutVersions = <Subject>(what: 'secret' | 'folder'): readonly Action<Subject>[] => [
  {
    id: 'export',
    label: 'Export to a file',
    icon: FileOutput,
    group: 'use',
    hrefOf: (place) => exportHref(place, what),
  },
  ...(what === 'folder' ? [findValue] : []),
  {
    id: 'copy',
    label: 'Copy to another engine',
    icon: FolderInput,
    group: 'use',
    reasonAgainst: (_, { path }) =>
      path === '' ? "An engine can't be copied as a whole. Choose a folder in this engine." : undefined,
    hrefOf: (place) => moveHref(place, what),
  },
];

/** For folders; for the engine itself if the path is empty. */
export const folderActions: readonly Action<null>[] = [
  { id: 'import', label: 'Import from a file', icon: FileInput, group: 'use', hrefOf: importHref },
  {
    id: 'export',
    label: 'Export to a file',
    icon: FileOutput,
    group: 'use',
    hrefOf: (place) => exportHref(place, 'folder'),
  },
  findValue,
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
      path === '' ? "An engine can't be moved as a whole. Choose a folder in this engine." : undefined,
    hrefOf: (place) => moveHref(place, 'folder'),
  },
  { id: 'settings', label: 'Engine settings', icon: Settings2, group: 'use', hrefOf: engineHref },
];
