import type { Target } from '@gatehouse/api-types/console/targets';
import { Button } from '@gatehouse/ui/button';
import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, Plug } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { useErrand } from '#components/record/use-errand.ts';
import { OpenSessions } from '#components/sessions/OpenSessions.tsx';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { scopesQuery, targetQuery } from '#queries/access.ts';
import { reasonAgainstAuthorizing, reasonAgainstCreating } from '../may.ts';
import { shownTargets } from '../shown-targets.ts';
import { targetActions } from '../target-actions.ts';
import { targetsSearch } from '../targets-search.ts';
import { useTargetList } from '../use-target-list.ts';
import { useTargetPlaces } from '../use-target-places.ts';
import { TargetDetails } from './TargetDetails.tsx';

export const Route = createFileRoute('/$environment/targets/$id/')({
  validateSearch: targetsSearch.parse,
  loader: ({ params: { environment, id } }) => {
    void queryClient.prefetchQuery(targetQuery(environment, id));
  },
  component: TargetPage,
});

// Loaded before they are used.
const DeleteTarget = lazy(async () => ({ default: (await import('../DeleteTargets.tsx')).DeleteTarget }));
const AuthorizeSession = lazy(async () => ({
  default: (await import('../-authorize/AuthorizeSession.tsx')).AuthorizeSession,
}));
const route = getRouteApi('/$environment/targets/$id/');

function TargetPage() {
  const { id } = route.useParams();
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { data: scopes } = useQuery(scopesQuery(environment.id));
  const { ancestors, listHref, editHrefOf } = useTargetPlaces(route.useSearch());
  const editHref = editHrefOf({ id });
  return (
    <RecordDetail
      kind={shownTargets}
      id={id}
      ancestors={ancestors}
      listHref={listHref}
      editHref={editHref}
      editVariant="primary"
      Deletion={DeleteTarget}
      lead={<Neighbours id={id} />}
      menuOf={(target, remove) =>
        targetActions(target, {
          cannotCreate: reasonAgainstCreating(scopes),
          go: () => void navigate({ href: editHref }),
          clone: () =>
            void navigate({
              to: '/$environment/targets/new',
              params: { environment: environment.id },
              search: { from: target.id },
            }),
          remove,
        }).filter(
          (entry) =>
            entry === 'separator' || 'items' in entry || !['open', 'authorize', 'edit'].includes(entry.id),
        )
      }
      mainActions={(target) => <AuthorizeButton target={target} />}
    >
      {(target) => (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <TargetDetails target={target} sessions={<OpenSessions of="target" id={target.id} />} />
        </div>
      )}
    </RecordDetail>
  );
}

function AuthorizeButton({ target }: { target: Target }) {
  const [isAuthorizing, setAuthorizing] = useState(false);
  const reason = reasonAgainstAuthorizing(target);
  const authorize = (): void => {
    setAuthorizing(true);
  };
  useErrand('authorize', reason === undefined ? authorize : undefined);
  useShortcut({
    keys: 'a',
    label: 'Authorize session',
    group: 'Target',
    disabledReason: reason,
    run: authorize,
  });
  return (
    <>
      <Button size={28} icon={Plug} shortcut="a" disabledReason={reason} onPress={authorize}>
        Authorize session
      </Button>
      {isAuthorizing && (
        <Suspense fallback={null}>
          <AuthorizeSession
            target={target}
            onClose={() => {
              setAuthorizing(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** Links to the previous and next target in the list you came from. */
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
      label: 'Previous target in the list',
      group: 'Target',
      run: () => {
        go(previous);
      },
    },
  );
  useShortcut(
    next && {
      keys: ']',
      label: 'Next target in the list',
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
        disabledReason={previous ? undefined : 'This is the first target in the list.'}
        onPress={() => {
          go(previous);
        }}
      />
      <IconButton
        icon={ChevronRight}
        label="Next target"
        shortcut="]"
        disabledReason={next ? undefined : 'This is the last target in the list.'}
        onPress={() => {
          go(next);
        }}
      />
    </span>
  );
}
