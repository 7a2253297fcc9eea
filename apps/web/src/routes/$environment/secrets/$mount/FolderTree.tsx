import { Icon } from '@gatehouse/ui/icon';
import { TreeView, type TreeNode } from '@gatehouse/ui/tree-view';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { ArchiveRestore, Database, Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { folderHref, foldersAbove, secretHref } from '#components/places/secrets.ts';
import { wordsOf } from '#lib/error-words.ts';
import { folderQuery, type SecretPlace } from '#queries/secrets.ts';
import { useIsUnversioned, useSecretPlace } from '../use-secret-place.ts';
import { folderId, secretId, treeOf, type LoadedFolder, type LoadedFolders } from './folder-tree.ts';

/**
 * The folders and secrets of an engine, and its pages. Folders above the one in the address open automatically.
 */
export function FolderTree() {
  const isUnversioned = useIsUnversioned();
  const place = useSecretPlace();
  const navigate = useNavigate();
  const kind = useKind();
  const isFolder = kind === 'folder';
  const scroller = useRef<HTMLDivElement>(null);
  const [folders, setFolders] = useState<LoadedFolders>(new Map());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const leading = useMemo(
    () => ['', ...foldersAbove(place.path), ...(isFolder && place.path !== '' ? [place.path] : [])],
    [place.path, isFolder],
  );
  const here = `${place.mount}/${leading.join('\n')}`;
  const [shown, setShown] = useState(here);
  if (shown !== here) {
    setShown(here);
    setClosed(closed.difference(new Set(leading)));
  }
  const open = new Set([...leading, ...opened]).difference(closed);
  const nodes = useMemo<TreeNode[]>(
    () => [
      {
        id: folderId(''),
        label: place.mount,
        icon: Database,
        canOpen: true,
        children: treeOf(folders, ''),
      },
    ],
    [folders, place.mount],
  );
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center border-b border-line px-4">
        <h2 className="font-mono text-caps font-normal text-ink-2 uppercase">Folders</h2>
      </div>
      {[...open].map((path) => (
        <FolderLoader
          key={path}
          place={{ ...place, path }}
          onLoaded={(loaded) => {
            setFolders((before) => new Map(before).set(path, loaded));
          }}
        />
      ))}
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto p-2">
        <TreeView
          label={`Folders of ${place.mount}`}
          nodes={nodes}
          scroller={scroller}
          selected={kind === undefined ? null : isFolder ? folderId(place.path) : secretId(place.path)}
          onSelect={(id) => {
            const path = id.slice(id.indexOf(':') + 1);
            if (id === folderId(path)) void navigate({ href: folderHref({ ...place, path }) });
            else if (id === secretId(path)) void navigate({ href: secretHref({ ...place, path }) });
            else folders.get(path)?.goOn();
          }}
          expanded={[...open].map(folderId)}
          onExpandedChange={(ids) => {
            const wanted = new Set(ids.map((id) => id.slice(id.indexOf(':') + 1)));
            setOpened(wanted);
            setClosed(new Set(leading).difference(wanted));
          }}
        />
      </div>
      <div className="shrink-0 border-t border-line p-2">
        <Link
          to="/$environment/secrets/$mount/find-value/$"
          params={{ ...place, _splat: '' }}
          className={pageLink}
        >
          <Icon icon={Search} />
          Find a value
        </Link>
        {!isUnversioned && (
          <Link
            to="/$environment/secrets/$mount/recycle-bin/$"
            params={{ ...place, _splat: '' }}
            activeOptions={{ includeSearch: false }}
            className={pageLink}
          >
            <Icon icon={ArchiveRestore} />
            Recycle bin
          </Link>
        )}
      </div>
    </div>
  );
}

/** A link to a page of the engine. */
const pageLink =
  'flex h-8 items-center gap-2 rounded-control px-2 text-body text-ink-2 hover:bg-hover hover:text-ink-1 [&.active]:bg-selected [&.active]:font-medium [&.active]:text-ink-1 [&.active]:shadow-[inset_2px_0_0_var(--accent)]';

/** What the address shows: a folder (or a new secret in it), a secret, or another page of the engine. */
function useKind(): 'folder' | 'secret' | undefined {
  const routeId: string | undefined = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId });
  switch (routeId) {
    case '/$environment/secrets/$mount/folder/$/':
    case '/$environment/secrets/$mount/new/$/':
      return 'folder';
    case '/$environment/secrets/$mount/secret/$/':
    case '/$environment/secrets/$mount/edit/$/':
      return 'secret';
    default:
      return undefined;
  }
}

/** Reads a folder for the tree while it is open. */
function FolderLoader({ place, onLoaded }: { place: SecretPlace; onLoaded: (loaded: LoadedFolder) => void }) {
  const { data, error, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(folderQuery(place));
  const told = useRef(onLoaded);
  useEffect(() => {
    told.current = onLoaded;
  });
  useEffect(() => {
    told.current({
      items: data?.pages.flatMap((page) => page.items),
      failure: error === null ? undefined : wordsOf(error).title,
      hasMore: hasNextPage,
      goOn: () => {
        void (data === undefined ? refetch() : fetchNextPage());
      },
    });
  }, [data, error, hasNextPage, fetchNextPage, refetch]);
  return null;
}
