import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { Icon, SecretIcon } from '@gatehouse/ui/icon';
import { Folder } from 'lucide-react';

const kind: GridColumn<FolderItem> = {
  id: 'kind',
  header: 'Kind',
  value: ({ folder }) => (folder ? 'Folder' : 'Secret'),
  cell: ({ folder }) => (
    <span className="flex items-center gap-1.5 text-ink-2">
      <Icon icon={folder ? Folder : SecretIcon} />
      {folder ? 'Folder' : 'Secret'}
    </span>
  ),
  width: 120,
};

/** Of the names in one folder. */
export const folderColumns: readonly GridColumn<FolderItem>[] = [
  {
    id: 'name',
    header: 'Name',
    value: ({ name, folder }) => (folder ? `${name}/` : name),
    width: 480,
    isRowHeader: true,
    isMono: true,
  },
  kind,
];

/** Of what was found at any depth, by its path below the folder that was searched. */
export function foundColumns(folder: string): readonly GridColumn<FolderItem>[] {
  const skipped = folder === '' ? 0 : folder.length + 1;
  return [
    {
      id: 'path',
      header: 'Path',
      value: (item) => `${item.path.slice(skipped)}${item.folder ? '/' : ''}`,
      width: 640,
      isRowHeader: true,
      isMono: true,
    },
    kind,
  ];
}
