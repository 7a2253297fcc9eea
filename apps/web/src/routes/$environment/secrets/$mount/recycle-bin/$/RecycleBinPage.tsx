import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { emptyGridSelection, type GridColumn, type GridSelection } from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { createFileRoute } from '@tanstack/react-router';
import { ArchiveRestore } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { Failure } from '#components/errors/Failure.tsx';
import { arrangeRecords } from '#components/list/arrange-records.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import { useSearchState } from '#components/list/use-search-state.ts';
import { fullName, secretHref } from '#components/places/secrets.ts';
import { capital } from '#components/record/record-kind.ts';
import { wordsOf } from '#lib/error-words.ts';
import { readRecycleBin } from '#queries/secret-scans.ts';
import { type DeletedSecret, withoutBack } from '#routes/$environment/secrets/-deleted/deleted-secrets.ts';
import { useBringBack } from '#routes/$environment/secrets/-deleted/use-bring-back.ts';
import { versionsInWords } from '#routes/$environment/secrets/-versions/version-words.ts';
import { pathColumn, scanList } from '#routes/$environment/secrets/scan-list.tsx';
import { useScan } from '#routes/$environment/secrets/use-scan.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { afterFound, nothingFound, nothingInWords } from '#routes/$environment/secrets/walk.ts';
import { WalkNews } from '#routes/$environment/secrets/WalkNews.tsx';
import { BackNews } from './BackNews.tsx';
import { binSearch } from './bin-search.ts';

export const Route = createFileRoute('/$environment/secrets/$mount/recycle-bin/$/')({
  validateSearch: binSearch.parse,
  component: RecycleBinPage,
});

const which = [
  { value: 'gone', label: 'Deleted secrets' },
  { value: 'all', label: 'All deleted versions' },
] as const;

const columns: readonly GridColumn<DeletedSecret>[] = [
  { ...pathColumn, sortable: true },
  {
    id: 'versions',
    header: 'Can be undeleted',
    value: ({ versions }) => capital(versionsInWords(versions.map(({ version }) => version))),
    width: 220,
  },
  {
    id: 'reads',
    header: 'Reading returns',
    value: ({ newest }) => (newest ? 'Nothing' : 'Newest version'),
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

/** Deleted versions below a folder that can be undeleted; results appear as the search finds them. */
function RecycleBinPage() {
  const place = useSecretPlace();
  const [{ all = false, sort }, change] = useSearchState(binSearch);
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const scan = useScan({
    asked: JSON.stringify([place, all]),
    begin: (signal) => readRecycleBin(place, all, signal),
    after: afterFound<DeletedSecret>,
    none: nothingFound,
  });
  const { state, found, error, restart } = scan;
  const back = useBringBack(place);
  const rows = useMemo(
    () =>
      arrangeRecords(withoutBack(found.secrets, back.back), { columns, rowId: ({ path }) => path }, '', sort),
    [found.secrets, back.back, sort],
  );
  const forget = (): void => {
    back.forget();
    setSelection(emptyGridSelection);
  };
  const lookAgain = (): void => {
    forget();
    restart();
  };
  const { name, toFolder, list } = scanList(place, scan, rows, lookAgain);
  const bringBack = (secrets: readonly DeletedSecret[], everyVersion: boolean): void => {
    setSelection(emptyGridSelection);
    back.bringBack(
      secrets.map(({ path, versions }) => ({
        path,
        versions: (everyVersion ? versions : versions.slice(0, 1)).map(({ version }) => version),
      })),
    );
  };
  return (
    <ListPage<DeletedSecret>
      title="Recycle bin"
      pageTitle={`Recycle bin of ${fullName(place)}`}
      icon={ArchiveRestore}
      list="secret-recycle-bin"
      label={`Deleted below ${name}`}
      gridKey={`${place.path} ${String(all)}`}
      columns={columns}
      {...list}
      rowHref={({ path }) => secretHref({ ...place, path }, { tab: 'versions' })}
      rowActions={(secret) => actionsOf(secret, bringBack)}
      sort={sort}
      onSort={(next) => {
        change({ sort: next });
      }}
      selection={selection}
      onSelectionChange={setSelection}
      bulkActions={
        <BringBackButtons
          chosen={selection.kind === 'rows' ? rows.filter(({ path }) => selection.ids.has(path)) : rows}
          isRunning={back.isRunning}
          onBringBack={bringBack}
        />
      }
      filters={{
        label: 'Show',
        before: (
          <SegmentedControl
            label="Show"
            segments={which}
            value={all ? 'all' : 'gone'}
            onChange={(value) => {
              forget();
              change({ all: value === 'all' ? true : undefined });
            }}
          />
        ),
      }}
      empty={
        <NoMatches
          title={nothingInWords(state, found, `Nothing below ${name} can be undeleted.`)}
          action={toFolder}
        />
      }
      error={
        rows.length === 0 && found.failure === undefined ? (
          <Failure error={error} onRetry={restart} action={toFolder} />
        ) : (
          <Banner
            tone="warn"
            title="The search failed"
            actions={
              <Button size={28} onPress={restart}>
                Search again
              </Button>
            }
          >
            {found.failure ?? wordsOf(error).detail}
          </Banner>
        )
      }
    >
      <WalkNews state={state} found={found} />
      <BackNews {...back} />
    </ListPage>
  );
}

type BringBack = (secrets: readonly DeletedSecret[], everyVersion: boolean) => void;

function actionsOf(secret: DeletedSecret, bringBack: BringBack): readonly MenuEntry[] {
  const entry = (id: string, what: string, everyVersion: boolean): MenuEntry => ({
    id,
    label: `Undelete ${what}`,
    icon: ArchiveRestore,
    onAction: () => {
      bringBack([secret], everyVersion);
    },
  });
  const { versions } = secret;
  const newest = entry('newest', `version ${String(versions[0]?.version ?? '')}`, false);
  return versions.length > 1
    ? [newest, entry('all', `all ${String(versions.length)} versions`, true)]
    : [newest];
}

function BringBackButtons({
  chosen,
  isRunning,
  onBringBack,
}: {
  chosen: readonly DeletedSecret[];
  isRunning: boolean;
  onBringBack: BringBack;
}) {
  const whyNot = isRunning
    ? 'Other secrets are being undeleted.'
    : chosen.length === 0
      ? 'Choose secrets first.'
      : undefined;
  const several = chosen.some(({ versions }) => versions.length > 1);
  return (
    <>
      <Button
        size={28}
        icon={ArchiveRestore}
        disabledReason={whyNot}
        onPress={() => {
          onBringBack(chosen, false);
        }}
      >
        {several ? 'Undelete newest versions' : 'Undelete'}
      </Button>
      {several && (
        <Button
          size={28}
          disabledReason={whyNot}
          onPress={() => {
            onBringBack(chosen, true);
          }}
        >
          Undelete all versions
        </Button>
      )}
    </>
  );
}
