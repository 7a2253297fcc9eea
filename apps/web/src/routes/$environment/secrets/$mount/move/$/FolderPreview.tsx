import { harmOfMove } from '@gatehouse/api-types/console/harm-of';
import type { SearchLine } from '@gatehouse/api-types/console/secret-scans';
import { transferLimit } from '@gatehouse/api-types/console/secret-transfers';
import { StatusDot } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ImpactList } from '@gatehouse/ui/confirm-dialog';
import { DataGrid, defaultGridView, type GridColumn } from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useGridView } from '#components/table/use-grid-view.ts';
import { isApiError } from '#lib/api-error.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { readRecycleBin } from '#queries/secret-scans.ts';
import { readBelow } from '#queries/secret-transfers.ts';
import { mountsQuery } from '#queries/secrets.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import type { DeletedSecret } from '#routes/$environment/secrets/-deleted/deleted-secrets.ts';
import { useScan } from '#routes/$environment/secrets/use-scan.ts';
import { afterFound, nothingFound } from '#routes/$environment/secrets/walk.ts';
import { plannedMoves, revivedInWords, revivedSecrets, type PlannedMove } from './move-form.ts';
import type { PreviewProps } from './preview.ts';

interface Below {
  readonly secrets: readonly string[];
  /** Folders that can't be listed: the folder can't be moved or copied as a whole. */
  readonly denied: readonly string[];
  readonly failure: string | undefined;
}

const nothing: Below = { secrets: [], denied: [], failure: undefined };

function afterLines(before: Below, lines: readonly SearchLine[]): Below {
  const secrets = lines.flatMap((line) => (line.kind === 'match' && !line.folder ? [line.path] : []));
  const denied = lines.flatMap((line) => (line.kind === 'denied' ? [line.path] : []));
  const failed = lines.find((line) => line.kind === 'failed');
  return {
    secrets: [...before.secrets, ...secrets],
    denied: [...before.denied, ...denied],
    failure: failed?.detail ?? before.failure,
  };
}

function thereNow({ isTaken }: PlannedMove) {
  if (isTaken === undefined) return { word: 'Unknown', tone: 'neutral' } as const;
  return isTaken
    ? ({ word: 'A secret', tone: 'danger' } as const)
    : ({ word: 'Nothing', tone: 'ok' } as const);
}

const columns: readonly GridColumn<PlannedMove>[] = [
  { id: 'from', header: 'Secret', value: ({ from }) => from, width: 160, isRowHeader: true },
  { id: 'to', header: 'Destination', value: ({ to }) => to, width: 160 },
  {
    id: 'there',
    header: 'At destination',
    value: (move) => thereNow(move).word,
    cell: (move) => {
      const { word, tone } = thereNow(move);
      return <StatusDot tone={tone}>{word}</StatusDot>;
    },
    width: 104,
  },
];
const idOf = ({ from }: PlannedMove): string => from;

/** Lists what moving or copying a folder will write: every secret below it, and its destination. */
export function FolderPreview({ place, form, isValid, onPreview }: PreviewProps) {
  const [view, setView] = useGridView('secret-move', defaultGridView);
  const [hasLetterKeys] = useShortcutsSetting();
  const mounts = useQuery(mountsQuery(place.environment)).data;
  const keepsVersions = mounts?.some(({ path, version }) => path === place.mount && version === 2) === true;
  const source = useScan({
    asked: JSON.stringify(place),
    begin: (signal) => readBelow(place, signal),
    after: afterLines,
    none: nothing,
  });
  const target = { environment: place.environment, mount: form.mount, path: form.path };
  const there = useScan({
    asked: isValid ? JSON.stringify(target) : undefined,
    begin: (signal) => readBelow(target, signal),
    after: afterLines,
    none: nothing,
  });
  const { secrets, denied, failure } = source.found;
  // A destination that doesn't exist has nothing to list.
  const isListed = isValid && (there.state === 'done' || isApiError(there.error, 'not-found'));
  const rows = useMemo(
    () => plannedMoves(secrets, place.path, form.path, isListed ? there.found : undefined),
    [secrets, place.path, form.path, isListed, there.found],
  );
  const taken = rows.filter(({ isTaken }) => isTaken === true).length;
  const unseen = rows.filter(({ isTaken }) => isTaken === undefined).length;
  // The server checks before it writes, so users who can't list the destination can still try.
  const isThereKnown = isListed || isApiError(there.error, 'forbidden');
  const isKnown = isValid && source.state === 'done' && isThereKnown;
  const problem =
    source.state === 'failed'
      ? (failure ?? wordsOf(source.error).detail)
      : denied.length > 0
        ? `${counted(denied.length, 'folder')} below can't be listed, so the folder can't be moved or copied as a whole.`
        : secrets.length > transferLimit
          ? `The folder contains more than ${transferLimit.toLocaleString('en')} secrets. Move or copy smaller folders.`
          : source.state === 'done' && secrets.length === 0
            ? 'This folder contains no secrets.'
            : taken > 0
              ? `${counted(taken, 'secret')} with the same name already ${taken === 1 ? 'exists' : 'exist'} at the destination. Nothing is overwritten.`
              : undefined;
  const bin = useScan({
    asked: form.versions === 'all' && keepsVersions ? JSON.stringify(place) : undefined,
    begin: (signal) => readRecycleBin(place, false, signal),
    after: afterFound<DeletedSecret>,
    none: nothingFound,
  });
  const revived = revivedSecrets(bin.found.secrets);
  const isUnsure = bin.state === 'failed' || bin.found.denied.length > 0;
  const harm = harmOfMove({ kind: 'folder', ...form }, null, undefined);
  useEffect(() => {
    onPreview({ count: isKnown ? secrets.length : undefined, problem, harm });
  }, [isKnown, secrets.length, problem, harm, onPreview]);
  return (
    <>
      <p role="status" className="text-body text-ink-2">
        {source.state === 'running' ? 'Searching: ' : ''}
        {counted(secrets.length, 'secret')}
        {isListed && rows.length > 0 && unseen === 0 && problem === undefined && ', with no conflicts'}.
      </p>
      {problem !== undefined && (
        <Banner
          tone="danger"
          title="Can't move or copy this folder"
          actions={
            <Button
              size={28}
              onPress={() => {
                source.restart();
                there.restart();
              }}
            >
              Check again
            </Button>
          }
        >
          {problem}
        </Banner>
      )}
      {isValid && unseen > 0 && there.state !== 'running' && (
        <Banner tone="warn" title="The destination can't be checked">
          {there.state === 'failed'
            ? (there.found.failure ?? wordsOf(there.error).detail)
            : "Your policies don't let you list all its contents."}
          {isThereKnown && ' The console checks again before it writes, and overwrites nothing.'}
        </Banner>
      )}
      {(revived.length > 0 || isUnsure) && (
        <ImpactList
          impacts={[
            ...(revived.length > 0
              ? [{ kind: 'worth-knowing' as const, text: revivedInWords(revived) }]
              : []),
            ...(isUnsure
              ? [
                  {
                    kind: 'worth-knowing' as const,
                    text: "The console couldn't check whether the newest version of every secret is deleted. If one is, an older version becomes the current one at the new path.",
                  },
                ]
              : []),
          ]}
        />
      )}
      <div className="flex h-100 flex-col overflow-hidden rounded-control border border-line">
        <DataGrid<PlannedMove>
          label="Planned writes"
          noun={{ one: 'secret', many: 'secrets' }}
          columns={columns}
          rows={rows}
          rowId={idOf}
          rowLabel={idOf}
          status={source.state === 'running' && rows.length === 0 ? 'loading' : 'ready'}
          sorting={null}
          sortedBy="given"
          view={view}
          onViewChange={setView}
          hasLetterKeys={hasLetterKeys}
          empty={
            <NoMatches
              title="Nothing to move or copy."
              action={
                <Button size={28} onPress={source.restart}>
                  Check again
                </Button>
              }
            />
          }
          error={null}
        />
      </div>
    </>
  );
}
