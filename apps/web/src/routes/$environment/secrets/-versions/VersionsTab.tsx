import type { SecretMetadata } from '@gatehouse/api-types/console/secret-metadata';
import { Button } from '@gatehouse/ui/button';
import {
  DataGrid,
  defaultGridView,
  emptyGridSelection,
  type GridSelection,
  type GridView,
} from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { lazy } from '@gatehouse/ui/lazy';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArchiveRestore, Columns2, Eye, Flame, RotateCcw, Trash2 } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { editSecretHref, fullName, secretHref } from '#components/places/secrets.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { isApiError } from '#lib/api-error.ts';
import { usePolling } from '#lib/polling.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { secretActivityQuery, secretMetadataQuery } from '#queries/secret-versions.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import type { SecretTabProps } from '../secret-tab-props.ts';
import { OpenVersion } from './OpenVersion.tsx';
import { useUndelete } from './undelete-versions.ts';
import { versionColumns } from './version-columns.tsx';
import {
  reasonAgainstComparing,
  reasonAgainstDeleting,
  reasonAgainstDestroying,
  reasonAgainstRestoring,
  reasonAgainstUndeleting,
} from './version-reasons.ts';
import { prunedCount, versionAuthors, versionRows, type VersionRow } from './version-rows.ts';
import { countVersions, isReadable } from './version-words.ts';

const ComparePanel = lazy(async () => ({ default: (await import('./ComparePanel.tsx')).ComparePanel }));
const RestoreVersion = lazy(async () => ({ default: (await import('./RestoreVersion.tsx')).RestoreVersion }));
const DeleteVersions = lazy(async () => ({ default: (await import('./DeleteVersions.tsx')).DeleteVersions }));
const DestroyVersions = lazy(async () => ({
  default: (await import('./DestroyVersions.tsx')).DestroyVersions,
}));

/** A secret's versions on a timeline: compare any two, restore one, or delete, undelete and destroy several. */
export function VersionsTab({ place, secret }: SecretTabProps) {
  const query = useQuery(secretMetadataQuery(place));
  usePolling(secretMetadataQuery(place), 30, query.isSuccess);
  if (query.isPending) return <SkeletonList label="Loading the versions" lines={6} />;
  if (query.data !== undefined) return <Timeline place={place} metadata={query.data} />;
  return (
    <Failure
      error={query.error}
      onRetry={() => void query.refetch()}
      {...(isApiError(query.error, 'forbidden') && {
        action: <OpenVersion place={place} newest={Number(secret.revision)} />,
      })}
    />
  );
}

type Asked = { readonly kind: 'restore' | 'delete' | 'destroy'; readonly rows: readonly VersionRow[] };

const roomyView: GridView = { ...defaultGridView, density: 40 };
const idOf = ({ version }: VersionRow): string => String(version);
const labelOf = ({ version }: VersionRow): string => `Version ${String(version)}`;

function Timeline({ place, metadata }: { place: SecretPlace; metadata: SecretMetadata }) {
  const navigate = useNavigate();
  const { from, to } = useSearch({ from: '/$environment/secrets/$mount/secret/$/' });
  const [view, setView] = useGridView('secret-versions', roomyView);
  const [hasLetterKeys] = useShortcutsSetting();
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const [asked, setAsked] = useState<Asked>();
  const undelete = useUndelete();
  const activity = useQuery(secretActivityQuery(place));
  const { versions, may } = metadata;
  const rows = useMemo(
    () => versionRows(metadata, versionAuthors(activity.data ?? [], metadata.versions)),
    [metadata, activity.data],
  );
  const newest = versions[0]?.version ?? 0;
  const oldest = versions.at(-1)?.version ?? 0;
  const columns = useMemo(() => versionColumns(newest, oldest), [newest, oldest]);
  const chosen = selection.kind === 'rows' ? rows.filter((row) => selection.ids.has(idOf(row))) : rows;
  const pruned = prunedCount(metadata);

  const compare = (one: number, other: number): void =>
    void navigate({ href: secretHref(place, { tab: 'versions', from: one, to: other }) });
  const [later, earlier] = chosen;
  const cannotCompare = reasonAgainstComparing(chosen);
  const compareChosen = (): void => {
    if (cannotCompare === undefined && earlier && later) compare(earlier.version, later.version);
  };
  useShortcut({ keys: 'c', label: 'Compare the two chosen versions', group: 'Versions', run: compareChosen });

  const current = rows.find(({ isCurrent }) => isCurrent);
  const actionsOf = (row: VersionRow): readonly MenuEntry[] => [
    { id: 'open', label: 'Open', icon: Eye, href: hrefOf(row) },
    {
      id: 'compare',
      label: 'Compare with current',
      icon: Columns2,
      disabledReason: row.isCurrent
        ? 'This is the current version.'
        : current && !isReadable(current)
          ? `The current version is ${current.state}.`
          : !isReadable(row)
            ? `This version is ${row.state}.`
            : undefined,
      onAction: () => {
        if (current) compare(row.version, current.version);
      },
    },
    {
      id: 'restore',
      label: 'Restore as a new version',
      icon: RotateCcw,
      disabledReason: reasonAgainstRestoring(row, may),
      onAction: () => {
        setAsked({ kind: 'restore', rows: [row] });
      },
    },
    'separator',
    {
      id: 'undelete',
      label: 'Undelete',
      icon: ArchiveRestore,
      disabledReason: reasonAgainstUndeleting([row], may),
      onAction: () => {
        undelete(place, [row.version]);
      },
    },
    {
      id: 'delete',
      label: 'Delete',
      icon: Trash2,
      isDanger: true,
      disabledReason: reasonAgainstDeleting([row], may),
      onAction: () => {
        setAsked({ kind: 'delete', rows: [row] });
      },
    },
    {
      id: 'destroy',
      label: 'Delete permanently',
      icon: Flame,
      isDanger: true,
      disabledReason: reasonAgainstDestroying([row], may),
      onAction: () => {
        setAsked({ kind: 'destroy', rows: [row] });
      },
    },
  ];
  const hrefOf = ({ version, isCurrent }: VersionRow): string =>
    secretHref(place, isCurrent ? {} : { version });
  const close = (): void => {
    setAsked(undefined);
  };
  const [first] = asked?.rows ?? [];
  return (
    <div className="-mx-4 -mt-4 flex h-[calc(100%+1rem)] min-h-0 flex-col">
      <DataGrid<VersionRow>
        label={`Versions of ${fullName(place)}`}
        noun={{ one: 'version', many: 'versions' }}
        columns={columns}
        rows={rows}
        rowId={idOf}
        rowLabel={labelOf}
        status="ready"
        rowHref={hrefOf}
        onOpen={(row) => void navigate({ href: hrefOf(row) })}
        rowActions={actionsOf}
        sorting={null}
        sortedBy="given"
        view={view}
        onViewChange={setView}
        hasLetterKeys={hasLetterKeys}
        selection={selection}
        onSelectionChange={setSelection}
        bulkActions={
          <>
            <Button
              size={28}
              icon={Columns2}
              shortcut="c"
              disabledReason={cannotCompare}
              onPress={compareChosen}
            >
              Compare
            </Button>
            <Button
              size={28}
              icon={ArchiveRestore}
              disabledReason={reasonAgainstUndeleting(chosen, may)}
              onPress={() => {
                undelete(
                  place,
                  chosen.filter(({ state }) => state === 'deleted').map(({ version }) => version),
                );
              }}
            >
              Undelete
            </Button>
            <Button
              size={28}
              icon={Trash2}
              disabledReason={reasonAgainstDeleting(chosen, may)}
              onPress={() => {
                setAsked({ kind: 'delete', rows: chosen });
              }}
            >
              Delete
            </Button>
            <Button
              size={28}
              icon={Flame}
              disabledReason={reasonAgainstDestroying(chosen, may)}
              onPress={() => {
                setAsked({ kind: 'destroy', rows: chosen });
              }}
            >
              Delete permanently
            </Button>
          </>
        }
        empty={
          <NoMatches
            title="This secret has metadata but no versions yet."
            action={
              <Button size={28} onPress={() => void navigate({ href: editSecretHref(place) })}>
                Create the first version
              </Button>
            }
          />
        }
        error={null}
      />
      {pruned > 0 && (
        <p className="shrink-0 border-t border-line px-4 py-2 text-meta text-ink-2">
          {countVersions(pruned)} {pruned === 1 ? 'was' : 'were'} removed because of the version limit. They
          can't be undeleted.
        </p>
      )}
      <Suspense fallback={null}>
        {from !== undefined && to !== undefined && asked === undefined && (
          <ComparePanel
            place={place}
            from={from}
            to={to}
            rows={rows}
            may={may}
            onChoose={(one, other) =>
              void navigate({
                href: secretHref(place, { tab: 'versions', from: one, to: other }),
                replace: true,
              })
            }
            onRestore={(row) => {
              setAsked({ kind: 'restore', rows: [row] });
            }}
            onClose={() => void navigate({ href: secretHref(place, { tab: 'versions' }), replace: true })}
          />
        )}
        {asked?.kind === 'restore' && first && (
          <RestoreVersion
            place={place}
            version={first.version}
            createdTime={first.created_time}
            revision={String(metadata.current_version)}
            onClose={(isRestored) => {
              close();
              if (isRestored) void navigate({ href: secretHref(place, { tab: 'versions' }), replace: true });
            }}
          />
        )}
        {asked?.kind === 'delete' && <DeleteVersions place={place} rows={asked.rows} onClose={close} />}
        {asked?.kind === 'destroy' && <DestroyVersions place={place} rows={asked.rows} onClose={close} />}
      </Suspense>
    </div>
  );
}
