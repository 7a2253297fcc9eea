import type { Target } from '@gatehouse/api-types/console/targets';
import { Badge } from '@gatehouse/ui/badge';
import { Button, buttonClass } from '@gatehouse/ui/button';
import { TargetIcon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { MenuButton } from '@gatehouse/ui/menu';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, PencilLine, Plug } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { usePolling } from '#lib/polling.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { scopesQuery, targetPoll, targetQuery } from '#queries/access.ts';
import { reasonAgainst, reasonAgainstCreating } from '../may.ts';
import { targetActions } from '../target-actions.ts';
import { useTargetList } from '../use-target-list.ts';
import { TargetDetails } from './TargetDetails.tsx';

// Fetched when somebody is about to do it.
const DeleteTargets = lazy(async () => ({ default: (await import('../DeleteTargets.tsx')).DeleteTargets }));
const AuthorizeSession = lazy(async () => ({
  default: (await import('../-authorize/AuthorizeSession.tsx')).AuthorizeSession,
}));
const route = getRouteApi('/$environment/targets/$id/');

export function TargetPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const environment = useEnvironment();
  const navigate = useNavigate();
  const router = useRouter();
  const query = useQuery(targetQuery(environment.id, id));
  usePolling(targetPoll(environment.id, id), 30, query.isSuccess);
  const { data: scopes } = useQuery(scopesQuery(environment.id));
  const target = query.data;
  usePageTitle(target?.name ?? 'Target');
  const [deleting, setDeleting] = useState<readonly Target[]>();
  const params = { environment: environment.id };
  const toList = (): void => void navigate({ to: '/$environment/targets', params, search });
  const cannotEdit = target === undefined ? undefined : reasonAgainst(target, 'update');
  const edit = (): void => {
    if (target && cannotEdit === undefined) {
      void navigate({ to: '/$environment/targets/$id/edit', params: { ...params, id }, search });
    }
  };
  const [isAuthorizing, setAuthorizing] = useState(false);
  const cannotAuthorize = target === undefined ? undefined : reasonAgainst(target, 'authorize-session');
  const authorize = (): void => {
    if (target && cannotAuthorize === undefined) setAuthorizing(true);
  };
  useShortcut(
    target && cannotAuthorize === undefined
      ? { keys: 'a', label: 'Authorize a session', group: 'Target', run: authorize }
      : undefined,
  );
  useShortcut(
    target && cannotEdit === undefined
      ? { keys: 'e', label: 'Edit this target', group: 'Target', run: edit }
      : undefined,
  );
  useShortcut({ keys: 'u', label: 'Up to the list', group: 'Target', run: toList });

  return (
    <>
      <PageHeader
        icon={TargetIcon}
        title={target?.name ?? id}
        ancestors={[
          {
            id: 'targets',
            label: 'Targets',
            href: router.buildLocation({ to: '/$environment/targets', params, search }).href,
          },
        ]}
        meta={
          target && (
            <span className="hidden narrow:flex">
              <Badge>{target.type}</Badge>
            </span>
          )
        }
        actions={
          <>
            <Neighbours id={id} />
            {target && (
              <>
                <MenuButton
                  label={`More actions for ${target.name}`}
                  isOverflow
                  size={28}
                  placement="bottom end"
                  items={targetActions(target, {
                    cannotCreate: reasonAgainstCreating(scopes),
                    go: edit,
                    clone: () =>
                      void navigate({ to: '/$environment/targets/new', params, search: { from: target.id } }),
                    remove: () => {
                      setDeleting([target]);
                    },
                  }).filter(
                    (entry) =>
                      entry === 'separator' ||
                      'items' in entry ||
                      (entry.id !== 'open' && entry.id !== 'edit'),
                  )}
                />
                <Button
                  size={28}
                  icon={Plug}
                  shortcut="a"
                  disabledReason={cannotAuthorize}
                  onPress={authorize}
                >
                  Authorize session
                </Button>
                <Button
                  size={28}
                  variant="primary"
                  icon={PencilLine}
                  shortcut="e"
                  disabledReason={cannotEdit}
                  onPress={edit}
                >
                  Edit
                </Button>
              </>
            )}
          </>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {query.isPending && (
          <div className="mx-auto w-full max-w-300 p-6">
            <SkeletonList label="Loading the target" lines={10} />
          </div>
        )}
        {query.isError && !target && (
          <Failure
            error={query.error}
            onRetry={() => void query.refetch()}
            action={
              <Link to="/$environment/targets" params={params} search={search} className={buttonClass()}>
                Go to the list
              </Link>
            }
          />
        )}
        {target && <TargetDetails target={target} />}
      </div>
      {isAuthorizing && target && (
        <Suspense fallback={null}>
          <AuthorizeSession
            target={target}
            onClose={() => {
              setAuthorizing(false);
            }}
          />
        </Suspense>
      )}
      {deleting && (
        <Suspense fallback={null}>
          <DeleteTargets
            environment={environment}
            targets={deleting}
            onClose={(gone) => {
              setDeleting(undefined);
              if (gone.length > 0)
                void navigate({ to: '/$environment/targets', params, search, replace: true });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** The targets before and after this one in the list that one came from. */
function Neighbours({ id }: { id: string }) {
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { rows } = useTargetList(environment.id, search, { isCachedOnly: true });
  const index = rows.findIndex((row) => row.id === id);
  const go = (target: Target | undefined): void => {
    if (!target) return;
    const params = { environment: environment.id, id: target.id };
    void navigate({ to: '/$environment/targets/$id', params, search, replace: true });
  };
  const [previous, next] = index === -1 ? [] : [rows[index - 1], rows[index + 1]];
  useShortcut(
    previous && {
      keys: '[',
      label: 'Previous target of the list',
      group: 'Target',
      run: () => {
        go(previous);
      },
    },
  );
  useShortcut(
    next && {
      keys: ']',
      label: 'Next target of the list',
      group: 'Target',
      run: () => {
        go(next);
      },
    },
  );
  if (index === -1) return null;
  return (
    <span className="flex items-center gap-1">
      <span className="hidden text-meta text-ink-2 narrow:inline">
        {(index + 1).toLocaleString('en')} of {rows.length.toLocaleString('en')}
      </span>
      <IconButton
        icon={ChevronLeft}
        label="Previous target"
        shortcut="["
        disabledReason={previous ? undefined : 'This is the first of the list.'}
        onPress={() => {
          go(previous);
        }}
      />
      <IconButton
        icon={ChevronRight}
        label="Next target"
        shortcut="]"
        disabledReason={next ? undefined : 'This is the last of the list.'}
        onPress={() => {
          go(next);
        }}
      />
    </span>
  );
}
