import { roundedNumbers } from '@gatehouse/api-types/console/json-text';
import type { FileEntry } from '@gatehouse/api-types/console/secret-files';
import type { ImportPreviewItem } from '@gatehouse/api-types/console/secret-transfers';
import { StatusDot } from '@gatehouse/ui/badge';
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
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { DirtyGuard } from '#components/form/DirtyGuard.tsx';
import { useRoundsNumbers } from '#components/form/secrets-client.ts';
import { folderHref, fullName, secretHref } from '#components/places/secrets.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { TaskPanel } from '#components/tasks/TaskPanel.tsx';
import { counted } from '#lib/counted.ts';
import { mayAskBeforeLeaving } from '#lib/dirty-guard.ts';
import { startTask, useTasks } from '#lib/tasks.ts';
import { readImport, usePreviewImport } from '#queries/secret-transfers.ts';
import { staleFolder, type SecretPlace } from '#queries/secrets.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import {
  changeInWords,
  changeWords,
  chosenEntries,
  folderOfAll,
  isTakenAtFirst,
  listed,
  reasonAgainstImporting,
} from '#routes/$environment/secrets/-files/import-choice.ts';
import { countFields } from '#routes/$environment/secrets/-files/read-import.ts';
import { runSequence } from '#routes/$environment/secrets/-sequence/sequence-steps.ts';

const columns: readonly GridColumn<ImportPreviewItem>[] = [
  { id: 'path', header: 'Secret', value: ({ path }) => path, width: 210, isRowHeader: true },
  {
    id: 'change',
    header: 'Effect',
    value: ({ change }) => changeWords[change].word,
    cell: ({ change }) => <StatusDot tone={changeWords[change].tone}>{changeWords[change].word}</StatusDot>,
    width: 150,
  },
  { id: 'words', header: 'Details', value: changeInWords, width: 190 },
  { id: 'added', header: 'Adds', value: ({ added }) => listed(added), width: 112, isMono: true },
  { id: 'changed', header: 'Changes', value: ({ changed }) => listed(changed), width: 112, isMono: true },
  { id: 'removed', header: 'Removes', value: ({ removed }) => listed(removed), width: 112, isMono: true },
];
const idOf = ({ path }: ImportPreviewItem): string => path;
const noItems: readonly ImportPreviewItem[] = [];

/** Previews an import's change to each secret, lets you choose, then imports step by step. */
export function ImportReview({
  place,
  entries,
  onBack,
}: {
  place: SecretPlace;
  entries: readonly FileEntry[];
  onBack: () => void;
}) {
  const queryClient = useQueryClient();
  const preview = usePreviewImport(place);
  const [view, setView] = useGridView('secret-import', defaultGridView);
  const [hasLetterKeys] = useShortcutsSetting();
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const [begun, setBegun] = useState<{ readonly id: number; readonly what: 'secret' | 'folder' }>();
  const task = useTasks().find(({ id }) => id === begun?.id);
  const isRunning = task !== undefined && task.end === undefined;
  const items = preview.data?.items ?? noItems;

  const look = (): void => {
    setBegun(undefined);
    preview.mutate(entries, {
      onSuccess: (found) => {
        setSelection({ kind: 'rows', ids: new Set(found.items.filter(isTakenAtFirst).map(idOf)) });
      },
    });
  };
  useEffect(() => {
    look();
    // oxlint-disable-next-line react/exhaustive-deps -- once per imported text
  }, [entries]);

  const chosen = selection.kind === 'rows' ? selection.ids : new Set(items.map(idOf));
  const wanted = chosenEntries(entries, items, chosen);
  const refused = items.filter((item) => chosen.has(item.path) && reasonAgainstImporting(item) !== undefined);
  const removes = items.filter(({ path, removed }) => removed.count > 0 && chosen.has(path)).length;
  const roundsNumbers = useRoundsNumbers();
  const rounded = useMemo(
    () => (roundsNumbers ? entries.reduce((sum, { data }) => sum + roundedNumbers(data).length, 0) : 0),
    [entries, roundsNumbers],
  );
  const isDone = task?.end?.outcome === 'done';
  const run = (): void => {
    const paths = wanted.map(({ path }) => path);
    const [only = ''] = paths;
    const what = paths.length === 1 ? 'secret' : 'folder';
    const started = startTask({
      environment: place.environment,
      title: `Import ${counted(wanted.length, 'secret')} into ${fullName(place)}`,
      href:
        what === 'secret'
          ? secretHref({ ...place, path: only })
          : folderHref({ ...place, path: folderOfAll(paths) }),
      unit: 'secrets',
      run: (report) =>
        runSequence(report, readImport(place, wanted, report.signal), {
          counted: new Set(['write']),
          onceBegun: 'The console is undoing what was written. Check the folder in a moment.',
        }),
    });
    setBegun({ id: started.id, what });
    void started.end.then(() => {
      const { environment, mount } = place;
      for (const { path } of wanted) {
        void queryClient.invalidateQueries({ queryKey: [environment, 'secrets', 'one', mount, path] });
        void queryClient.invalidateQueries({ queryKey: [environment, 'secrets', 'metadata', mount, path] });
      }
      void queryClient.invalidateQueries({ queryKey: [environment, 'secrets', 'folder', mount] });
      staleFolder(queryClient, place);
    });
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
        <p role="status" className="me-auto text-body text-ink-2">
          {preview.isPending
            ? `Comparing ${counted(entries.length, 'secret')} with the stored secrets`
            : `${counted(entries.length, 'secret')} with ${counted(countFields(entries), 'field')} read; values are not shown.${removes > 0 ? ` ${counted(removes, 'secret')} will lose fields that aren't in the file.` : ''}`}
          {rounded > 0 &&
            ` The server rounds ${counted(rounded, 'number')} to 15 to 17 digits. Put numbers in double quotes to keep every digit.`}
        </p>
        {isDone ? (
          <LinkButton size={28} href={task.href}>
            Open the {begun?.what}
          </LinkButton>
        ) : (
          <>
            <Button
              size={28}
              disabledReason={isRunning ? 'The import is in progress.' : undefined}
              onPress={onBack}
            >
              Back
            </Button>
            {task !== undefined && !isRunning && (
              <Button size={28} onPress={look}>
                Compare again
              </Button>
            )}
            <Button
              size={28}
              variant="primary"
              isPending={isRunning}
              disabledReason={
                preview.isPending
                  ? 'The comparison is still running.'
                  : task !== undefined
                    ? 'Compare again first. The stored secrets may have changed.'
                    : refused.length > 0
                      ? `${counted(refused.length, 'secret')} you chose can't be written. Deselect ${refused.length === 1 ? 'it' : 'them'}.`
                      : wanted.length === 0
                        ? 'Choose secrets first.'
                        : undefined
              }
              onPress={run}
            >
              Import {counted(wanted.length, 'secret')}
            </Button>
          </>
        )}
      </div>
      {task !== undefined && (
        <div className="max-h-[50%] shrink-0 overflow-y-auto border-b border-line p-4">
          <TaskPanel
            task={task}
            takesFocus
            onPutAway={() => {
              setBegun(undefined);
              if (!isDone) look();
            }}
          />
        </div>
      )}
      <DataGrid<ImportPreviewItem>
        label="Import preview"
        noun={{ one: 'secret', many: 'secrets' }}
        columns={columns}
        rows={items}
        rowId={idOf}
        rowLabel={idOf}
        status={preview.isError ? 'failed' : preview.isSuccess ? 'ready' : 'loading'}
        sorting={null}
        sortedBy="given"
        view={view}
        onViewChange={setView}
        hasLetterKeys={hasLetterKeys}
        selection={selection}
        onSelectionChange={setSelection}
        empty={
          <NoMatches
            title="Nothing to import."
            action={
              <Button size={28} onPress={onBack}>
                Back
              </Button>
            }
          />
        }
        error={
          <Failure error={preview.error} onRetry={look} action={<Button onPress={onBack}>Back</Button>} />
        }
      />
      <DirtyGuard
        wouldLose={() => mayAskBeforeLeaving() && task === undefined && wanted.length > 0}
        count={wanted.length}
      />
    </div>
  );
}
