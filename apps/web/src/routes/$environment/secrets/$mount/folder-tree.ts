/** Builds the nodes of the folder tree from the loaded folders. */
import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import { SecretIcon } from '@gatehouse/ui/icon';
import type { TreeNode } from '@gatehouse/ui/tree-view';
import { Folder } from 'lucide-react';

/** The loaded part of an open folder. */
export interface LoadedFolder {
  /** The names of the loaded pages; undefined before the first. */
  readonly items: readonly FolderItem[] | undefined;
  /** Why loading stopped. */
  readonly failure: string | undefined;
  readonly hasMore: boolean;
  /** Loads the next page, or retries the first. */
  readonly goOn: () => void;
}

/** By path. */
export type LoadedFolders = ReadonlyMap<string, LoadedFolder>;

export function folderId(path: string): string {
  return `folder:${path}`;
}

export function secretId(path: string): string {
  return `secret:${path}`;
}

/** The nodes of a folder: its names, and a line if it has more, none, or couldn't be loaded. */
export function treeOf(folders: LoadedFolders, path: string): readonly TreeNode[] {
  const loaded = folders.get(path);
  const note = (label: string, more: Partial<TreeNode> = {}): TreeNode => ({
    id: `note ${String(loaded?.items?.length ?? 0)}:${path}`,
    label,
    isNote: true,
    ...more,
  });
  if (loaded?.items === undefined) {
    return [note(loaded?.failure === undefined ? 'Loading…' : `${loaded.failure}: retry`)];
  }
  const nodes = loaded.items.map((item): TreeNode =>
    item.folder
      ? {
          id: folderId(item.path),
          label: item.name,
          icon: Folder,
          canOpen: true,
          children: folders.has(item.path) ? treeOf(folders, item.path) : [],
        }
      : { id: secretId(item.path), label: item.name, icon: SecretIcon },
  );
  if (loaded.failure !== undefined) return [...nodes, note(`${loaded.failure}: continue`)];
  if (loaded.hasMore) return [...nodes, note('Loading more…', { onShown: loaded.goOn })];
  return nodes.length === 0 ? [note('Empty')] : nodes;
}
