import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import {
  DataGrid,
  defaultGridView,
  emptyGridSelection,
  type GridColumn,
  type GridSelection,
} from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Spinner } from '@gatehouse/ui/spinner';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { Time } from '#components/layout/Time.tsx';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import {
  crumbsOf,
  folderHref,
  fullName,
  nameOf,
  recycleBinHref,
  secretHref,
} from '#components/places/secrets.ts';
import { capital } from '#components/record/record-kind.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { readRecycleBin } from '#queries/secret-recycle-bin.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import {
  afterBinLines,
  nothingDeleted,
  walkInWords,
  withoutBack,
  type DeletedSecret,
} from '#routes/$environment/secrets/-deleted/deleted-secrets.ts';
import { useBringBack } from '#routes/$environment/secrets/-deleted/use-bring-back.ts';
import { versionsInWords } from '#routes/$environment/secrets/-versions/version-words.ts';
import { useScan } from '#routes/$environment/secrets/use-scan.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';

const route = getRouteApi('/$environment/secrets/$mount/recycle-bin/$');
const which = [
  { value: 'gone', label: 'Deleted secrets' },
  { value: 'all', label: 'All deleted versions' },
] as const;

const columns: readonly GridColumn<DeletedSecret>[] = [
  { id: 'path', header: 'Secret', value: ({ path }) => path, width: 340, isRowHeader: true, sortable: true },
  {
    id: 'versions',
    header: 'Can be brought back',
    value: ({ versions }) => capital(versionsInWords(versions.map(({ version }) => version))),
    width: 220,
  },
  {
    id: 'reads',
    header: 'Reads as',
    value: ({ newest }) => (newest ? 'Not there' : 'Its newest version'),
    width: 150,
  },
  {
    id: 'deleted',
    header: 'Deleted',
    value: ({ versions }) => versions[0]?.deletion_time ?? '',
    cell: ({ versions: [newest] }) => newest && <Time value={newest.deletion_time} isRelative />,
    width: 150,
    sortable: true,
  },
];
const idOf = ({ path }: DeletedSecret): string => path;

/** What was deleted below a folder and can be brought back, found by a walk that shows what it finds. */
export function RecycleBinPage() {
  const place = useSecretPlace();
  const { all = false } = route.useSearch();
  const navigate = useNavigate();
  const [view, setView] = useGridView('secret-recycle-bin', defaultGridView);
  const [hasLetterKeys] = useShortcutsSetting();
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const [sorting, setSorting] = useState<{
    columnId: string;
    direction: 'ascending' | 'descending';
  } | null>(null);
  const { state, found, error, stop, restart } = useScan({
    asked: JSON.stringify([place, all]),
    begin: (signal) => readRecycleBin(place, all, signal),
    after: afterBinLines,
    none: nothingDeleted,
  });
  const { back, forget, failed, isRunning, progress, bringBack, cancel } = useBringBack(place);
  const rows = useMemo(() => withoutBack(found.secrets, back), [found.secrets, back]);
  const chosen = selection.kind === 'rows' ? rows.filter(({ path }) => selection.ids.has(path)) : rows;
  const title = 'Recycle bin';
  const name = place.path === '' ? place.mount : nameOf(place.path);
  const here = folderHref(place);
  usePageTitle(`${title} of ${fullName(place)}`);
  const run = (secrets: readonly DeletedSecret[], everyVersion: boolean): void => {
    setSelection(emptyGridSelection);
    bringBack(
      secrets.map(({ path, versions }) => ({
        path,
        versions: (everyVersion ? versions : versions.slice(0, 1)).map(({ version }) => version),
      })),
    );
  };
  const lookAgain = (): void => {
    forget();
    setSelection(emptyGridSelection);
    restart();
  };
  const whyNot = isRunning
    ? 'Others are being brought back.'
    : chosen.length === 0
      ? 'Choose secrets first.'
      : undefined;
  useShortcut({ keys: 'r', label: 'Look again', group: title, run: lookAgain });
  useShortcut({ keys: 'u', label: 'Up', group: title, run: () => void navigate({ href: here }) });
  const several = chosen.some(({ versions }) => versions.length > 1);
  return (
    <>
      <PageHeader
        icon={Trash2}
        title={title}
        ancestors={[...crumbsOf(place), { id: 'here', label: name, href: here }]}
        actions={
          state === 'running' ? (
            <Button size={28} onPress={stop}>
              Stop looking
            </Button>
          ) : (
            <Button size={28} shortcut="r" onPress={lookAgain}>
              Look again
            </Button>
          )
        }
        toolbar={
          <Toolbar label="What is looked for">
            <SegmentedControl
              label="What is looked for"
              segments={which}
              value={all ? 'all' : 'gone'}
              onChange={(value) => {
                forget();
                setSelection(emptyGridSelection);
                void navigate({
                  href: `${recycleBinHref(place)}${value === 'all' ? '?all=true' : ''}`,
                  replace: true,
                });
              }}
            />
          </Toolbar>
        }
      />
      <div className="flex min-h-0 flex-1 flex-col">
        <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1 text-meta text-ink-2">
          {state === 'running' && <Spinner label="Looking" />}
          <span role="status">{walkInWords(state, found)}</span>
          {found.denied.length > 0 && (
            <span title={found.denied.slice(0, 40).join('\n')}>
              {counted(found.denied.length, 'place')} could not be looked into.
            </span>
          )}
        </div>
        {(isRunning || failed.length > 0) && (
          <div className="flex shrink-0 flex-col gap-2 border-b border-line px-4 py-2">
            {isRunning && (
              <div className="flex items-end gap-3">
                <ProgressBar
                  label="Bringing back"
                  value={progress.done / Math.max(1, progress.total)}
                  valueLabel={`${progress.done.toLocaleString('en')} of ${counted(progress.total, 'secret')}`}
                />
                <Button size={28} onPress={cancel}>
                  Stop
                </Button>
              </div>
            )}
            {failed.length > 0 && (
              <Banner tone="danger" title={`${counted(failed.length, 'secret')} could not be brought back`}>
                <ul className="max-h-32 overflow-y-auto">
                  {failed.map(({ path, reason }) => (
                    <li key={path}>
                      <span className="font-mono text-meta">{path}</span>: {reason}
                    </li>
                  ))}
                </ul>
              </Banner>
            )}
          </div>
        )}
        <DataGrid<DeletedSecret>
          key={`${place.path} ${String(all)}`}
          label={`Deleted below ${name}`}
          noun={{ one: 'secret', many: 'secrets' }}
          columns={columns}
          rows={rows}
          rowId={idOf}
          rowLabel={idOf}
          status={
            state === 'failed' ? 'failed' : state === 'running' && rows.length === 0 ? 'loading' : 'ready'
          }
          rowHref={({ path }) => secretHref({ ...place, path }, { tab: 'versions' })}
          onOpen={({ path }) => void navigate({ href: secretHref({ ...place, path }, { tab: 'versions' }) })}
          rowActions={(secret) => [
            {
              id: 'newest',
              label: `Bring back version ${String(secret.versions[0]?.version ?? '')}`,
              icon: ArchiveRestore,
              onAction: () => {
                run([secret], false);
              },
            },
            ...(secret.versions.length > 1
              ? [
                  {
                    id: 'all',
                    label: `Bring back all ${String(secret.versions.length)} versions`,
                    icon: ArchiveRestore,
                    onAction: () => {
                      run([secret], true);
                    },
                  },
                ]
              : []),
          ]}
          sorting={sorting}
          onSortingChange={setSorting}
          sortedBy="here"
          view={view}
          onViewChange={setView}
          hasLetterKeys={hasLetterKeys}
          selection={selection}
          onSelectionChange={setSelection}
          bulkActions={
            <>
              <Button
                size={28}
                icon={ArchiveRestore}
                disabledReason={whyNot}
                onPress={() => {
                  run(chosen, false);
                }}
              >
                {several ? 'Bring back the newest' : 'Bring back'}
              </Button>
              {several && (
                <Button
                  size={28}
                  disabledReason={whyNot}
                  onPress={() => {
                    run(chosen, true);
                  }}
                >
                  Bring back all versions
                </Button>
              )}
            </>
          }
          empty={
            <NoMatches
              title={
                state === 'done'
                  ? `Nothing below ${name} was deleted that could be brought back.`
                  : 'Nothing was found before the walk ended.'
              }
              action={<LinkButton href={here}>Go to the folder</LinkButton>}
            />
          }
          error={
            rows.length === 0 && found.failure === undefined ? (
              <Failure
                error={error}
                onRetry={restart}
                action={<LinkButton href={here}>Go to the folder</LinkButton>}
              />
            ) : (
              <Banner
                tone="warn"
                title="The walk broke off"
                actions={
                  <Button size={28} onPress={restart}>
                    Look again
                  </Button>
                }
              >
                {found.failure ?? wordsOf(error).detail}
              </Banner>
            )
          }
        />
      </div>
    </>
  );
}
