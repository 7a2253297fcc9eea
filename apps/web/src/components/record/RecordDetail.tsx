import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { LinkButton } from '@gatehouse/ui/link';
import { MenuButton } from '@gatehouse/ui/menu';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy, PencilLine, Trash2 } from 'lucide-react';
import { Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { usePolling } from '#lib/polling.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { recordPoll, recordQuery, type StoredRecord } from '#queries/records.ts';
import { Failure } from '../errors/Failure.tsx';
import { useEnvironment } from '../layout/use-environment.ts';
import { usePageTitle } from '../layout/use-page-title.ts';
import { capital, reasonAgainst, type ShownKind } from './record-kind.ts';

export interface RecordDetailProps<Item extends StoredRecord & { type: string }, New, Changes> {
  kind: ShownKind<Item, New, Changes>;
  id: string;
  ancestors: readonly { id: string; label: string; href: string }[];
  listHref: string;
  editHref: string;
  /** Asks before it is deleted, with what depends on it. */
  Deletion: ComponentType<{ item: Item; onClose: (isGone: boolean) => void }>;
  /** More buttons before Edit. */
  actions?: (item: Item) => ReactNode;
  toolbar?: (item: Item) => ReactNode;
  children: (item: Item) => ReactNode;
}

/** The page that shows one record, with what can be done with it. */
export function RecordDetail<Item extends StoredRecord & { type: string }, New, Changes>({
  kind,
  id,
  ancestors,
  listHref,
  editHref,
  Deletion,
  actions,
  toolbar,
  children,
}: RecordDetailProps<Item, New, Changes>) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const query = useQuery(recordQuery(kind.calls, environment.id, id));
  usePolling(recordPoll(kind.calls, environment.id, id), 30, query.isSuccess);
  const [isDeleting, setDeleting] = useState(false);
  const item = query.data;
  const name = item === undefined ? id : kind.nameOf(item);
  usePageTitle(item === undefined ? capital(kind.noun) : name);
  const cannotEdit = item && reasonAgainst(item, 'update', kind.noun);
  const toEdit = (): void => {
    if (item && cannotEdit === undefined) void navigate({ href: editHref });
  };
  const group = capital(kind.noun);
  useShortcut({ keys: 'e', label: `Edit this ${kind.noun}`, group, run: toEdit });
  useShortcut({ keys: 'u', label: 'Up', group, run: () => void navigate({ href: listHref }) });
  return (
    <>
      <PageHeader
        icon={kind.icon}
        title={name}
        ancestors={ancestors}
        meta={
          item && (
            <span className="hidden narrow:flex">
              <Badge>{item.type.replaceAll('_', ' ')}</Badge>
            </span>
          )
        }
        actions={
          item && (
            <>
              {actions?.(item)}
              <MenuButton
                label={`More actions for ${name}`}
                isOverflow
                size={28}
                placement="bottom end"
                items={[
                  { id: 'copy-id', label: 'Copy id', icon: Copy, onAction: () => void copy(item.id) },
                  'separator',
                  {
                    id: 'delete',
                    label: 'Delete',
                    icon: Trash2,
                    isDanger: true,
                    disabledReason: reasonAgainst(item, 'delete', kind.noun),
                    onAction: () => {
                      setDeleting(true);
                    },
                  },
                ]}
              />
              <Button size={28} icon={PencilLine} shortcut="e" disabledReason={cannotEdit} onPress={toEdit}>
                Edit
              </Button>
            </>
          )
        }
        {...(item && toolbar && { toolbar: toolbar(item) })}
      />
      {query.isPending && (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label={`Loading the ${kind.noun}`} lines={8} />
        </div>
      )}
      {query.isError && !item && (
        <Failure
          error={query.error}
          onRetry={() => void query.refetch()}
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

async function copy(text: string): Promise<void> {
  const { toasts } = await import('@gatehouse/ui/toast');
  try {
    await navigator.clipboard.writeText(text);
    toasts.ok({ title: 'Id copied' });
  } catch {
    toasts.danger({
      title: 'Could not copy',
      detail: 'The browser does not let this page use the clipboard.',
    });
  }
}
