import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { Icon, SecretIcon } from '@gatehouse/ui/icon';
import { VisibleEnds } from '@gatehouse/ui/visible-ends';
import { Folder } from 'lucide-react';

const kind: GridColumn<FolderItem> = {
  id: 'kind',
  header: 'Kind',
  value: ({ folder }) => (folder ? 'Folder' : 'Secret'),
  width: 120,
};

/** A name with its icon, which shows the kind when only the first column is visible. */
export function named(text: string, { folder }: FolderItem) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon icon={folder ? Folder : SecretIcon} className="text-ink-2" />
      <span className="min-w-0 truncate font-mono text-meta">
        <VisibleEnds text={text} isPath />
      </span>
    </span>
  );
}

/** For the names in one folder. */
export const folderColumns: readonly GridColumn<FolderItem>[] = [
  {
    id: 'name',
    header: 'Name',
    value: ({ name, folder }) => (folder ? `${name}/` : name),
    cell: (item) => named(item.folder ? `${item.name}/` : item.name, item),
    width: 480,
    isRowHeader: true,
    isMono: true,
  },
  kind,
];

/** For search results at any depth: the path below the searched folder. */
export function foundColumns(folder: string): readonly GridColumn<FolderItem>[] {
  const skipped = folder === '' ? 0 : folder.length + 1;
  const shown = (item: FolderItem): string => `${item.path.slice(skipped)}${item.folder ? '/' : ''}`;
  return [
    {
      id: 'path',
      header: 'Path',
      value: shown,
      cell: (item) => named(shown(item), item),
      width: 640,
      isRowHeader: true,
      isMono: true,
    },
    kind,
  ];
}
