import { Badge } from '@gatehouse/ui/badge';
import { Button, type ButtonProps } from '@gatehouse/ui/button';
import { LinkButton } from '@gatehouse/ui/link';
import { MenuButton, type MenuEntry } from '@gatehouse/ui/menu';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy, PencilLine, Trash2 } from 'lucide-react';
import { Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { copyText } from '#lib/copy-text.ts';
import { usePolling } from '#lib/polling.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { recordQuery } from '#queries/record-life.ts';
import type { Revised } from '#queries/records.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { usePageTitle } from '../environment/use-page-title.ts';
import { capital, reasonOf, type ShownKind } from './record-kind.ts';
import { RecordButtons } from './RecordButtons.tsx';
import { useErrand } from './use-errand.ts';
import { Waiting } from './Waiting.tsx';

export interface RecordDetailProps<Item extends Revised> {
  kind: ShownKind<Item>;
  /** Its address, shown until its name is loaded. */
  id: string;
  /** Its ID in the audit trail, if that isn't its address. */
  trailId?: string;
  ancestors: readonly { id: string; label: string; href: string }[];
  listHref: string;
  editHref: string;
  /** The dialog that deletes it, with what depends on it. */
  Deletion: ComponentType<{ item: Item; onClose: (isGone: boolean) => void }>;
  /** Buttons that don't need the record. */
  lead?: ReactNode;
  /** Further buttons, before the menu and between the menu and Edit. */
  actions?: (item: Item) => ReactNode;
  mainActions?: (item: Item) => ReactNode;
  /** Entries of the menu; by default the usual ones, copying the ID and deleting. */
  menuOf?: (item: Item, remove: () => void, usual: readonly MenuEntry[]) => readonly MenuEntry[];
  editVariant?: ButtonProps['variant'];
  /** `Edit` by default. */
  editLabelOf?: (item: Item) => string;
  /** Shown beside the title; its type by default. */
  metaOf?: (item: Item) => ReactNode;
  toolbar?: (item: Item) => ReactNode;
  children: (item: Item) => ReactNode;
}

/** The page of a record and its actions. */
export function RecordDetail<Item extends Revised>({
  kind,
  id,
  trailId = id,
  ancestors,
  listHref,
  editHref,
  Deletion,
  lead,
  actions,
  mainActions,
  menuOf = (_, __, usual) => usual,
  editVariant = 'secondary',
  editLabelOf = () => 'Edit',
  metaOf = typeBadge,
  toolbar,
  children,
}: RecordDetailProps<Item>) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const query = useQuery(recordQuery(kind.calls, environment.id, id));
  usePolling(recordQuery(kind.calls, environment.id, id), 30, query.isSuccess);
  const [isDeleting, setDeleting] = useState(false);
  const item = query.data;
  const name = item === undefined ? id : kind.nameOf(item);
  usePageTitle(item === undefined ? capital(kind.noun) : name);
  const cannotEdit = item && reasonOf(kind, item, 'update');
  const toEdit = (): void => {
    if (item && cannotEdit === undefined) void navigate({ href: editHref });
  };
  const remove = (): void => {
    setDeleting(true);
  };
  const group = capital(kind.noun);
  useShortcut(
    item && {
      keys: 'e',
      label: `${editLabelOf(item)} this ${kind.noun}`,
      group,
      disabledReason: cannotEdit,
      run: toEdit,
    },
  );
  const cannotDelete = item && reasonOf(kind, item, 'delete');
  useErrand('delete', item !== undefined && cannotDelete === undefined ? remove : undefined);
  useShortcut({ keys: 'u', label: 'Up', group, run: () => void navigate({ href: listHref }) });
  return (
    <>
      <PageHeader
        icon={kind.icon}
        title={name}
        ancestors={ancestors}
        meta={item && <span className="hidden narrow:flex">{metaOf(item)}</span>}
        actions={
          <>
            {lead}
            {item && (
              <>
                {actions?.(item)}
                <RecordButtons resource={trailId} name={name} group={group} />
                <MenuButton
                  label={`More actions for ${name}`}
                  isOverflow
                  size={28}
                  placement="bottom end"
                  items={menuOf(item, remove, usualMenu(id, cannotDelete, remove))}
                />
                {mainActions?.(item)}
                <Button
                  size={28}
                  variant={editVariant}
                  icon={PencilLine}
                  shortcut="e"
                  disabledReason={cannotEdit}
                  onPress={toEdit}
                >
                  {editLabelOf(item)}
                </Button>
              </>
            )}
          </>
        }
        {...(item && toolbar && { toolbar: toolbar(item) })}
      />
      {item === undefined && (
        <Waiting
          query={query}
          label={`Loading the ${kind.noun}`}
          action={<LinkButton href={listHref}>Go to the list</LinkButton>}
        />
      )}
      {item && children(item)}
      {item && isDeleting && (
        <Suspense fallback={null}>
          <Deletion
            item={item}
            onClose={(isGone) => {
              setDeleting(false);
              if (isGone) void navigate({ href: listHref, replace: true });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function typeBadge(item: Revised & { readonly type?: string }): ReactNode {
  return item.type === undefined ? undefined : <Badge>{item.type.replaceAll('_', ' ')}</Badge>;
}

function usualMenu(id: string, cannotDelete: string | undefined, remove: () => void): readonly MenuEntry[] {
  return [
    { id: 'copy-id', label: 'Copy ID', icon: Copy, onAction: () => void copyText(id, 'ID') },
    'separator',
    {
      id: 'delete',
      label: 'Delete',
      icon: Trash2,
      isDanger: true,
      disabledReason: cannotDelete,
      onAction: remove,
    },
  ];
}
