import type { Mount } from '@gatehouse/api-types/console/secret-metadata';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { Select } from '@gatehouse/ui/select';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { TextField } from '@gatehouse/ui/text-field';
import { EndsNote } from '@gatehouse/ui/visible-ends';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { FolderInput } from 'lucide-react';
import { Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { crumbsOf, folderHref, fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { TargetsReading } from '#components/source/TargetsReading.tsx';
import { folderOf } from '#lib/folder-of.ts';
import { queryClient } from '#lib/query-client.ts';
import { on, searchOf } from '#lib/search.ts';
import { startTask, useTasks } from '#lib/tasks.ts';
import { readTransfer } from '#queries/secret-transfers.ts';
import { mountsQuery, type SecretPlace, staleFolder } from '#queries/secrets.ts';
import { runSequence } from '#routes/$environment/secrets/-sequence/sequence-steps.ts';
import { useIsUnversioned, useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { destinationProblem, type MoveForm, titleOf, transferOf, verbOf, type What } from './move-form.ts';
import type { Preview } from './preview.ts';

export const Route = createFileRoute('/$environment/secrets/$mount/move/$/')({
  /** `folder`: the path is a folder's. */
  validateSearch: searchOf({ folder: on }).parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(mountsQuery(environment));
  },
  component: MovePage,
});

// One preview is loaded, depending on what is moved; the panel when the task starts.
const FolderPreview = lazy(async () => ({ default: (await import('./FolderPreview.tsx')).FolderPreview }));
const SecretPreview = lazy(async () => ({ default: (await import('./SecretPreview.tsx')).SecretPreview }));
const TaskPanel = lazy(async () => ({
  default: (await import('#components/tasks/TaskPanel.tsx')).TaskPanel,
}));

const route = getRouteApi('/$environment/secrets/$mount/move/$/');

const noMounts: readonly Mount[] = [];
const unknown: Preview = { count: undefined, problem: undefined };

/** Moves, copies or renames a secret or folder: choose the destination, see what is written, run it step by step. */
function MovePage() {
  const place = useSecretPlace();
  const { folder = false } = route.useSearch();
  const what: What = folder ? 'folder' : 'secret';
  const here = folder ? folderHref(place) : secretHref(place);
  const mounts = useQuery(mountsQuery(place.environment)).data ?? noMounts;
  const isWithoutVersions = useIsUnversioned();
  usePageTitle(`${isWithoutVersions ? 'Copy' : 'Move'} ${fullName(place)}`);
  return (
    <>
      <PageHeader
        icon={FolderInput}
        title={isWithoutVersions ? 'Copy to another engine' : 'Move, copy or rename'}
        ancestors={[...crumbsOf(place), { id: 'here', label: nameOf(place.path), href: here }]}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Move
          key={`${place.path} ${what}`}
          place={place}
          what={what}
          here={here}
          mounts={mounts}
          isWithoutVersions={isWithoutVersions}
        />
      </div>
    </>
  );
}

interface MoveProps {
  place: SecretPlace;
  what: What;
  here: string;
  mounts: readonly Mount[];
  /** Whether the source engine is unversioned. */
  isWithoutVersions: boolean;
}

function Move({ place, what, here, mounts, isWithoutVersions }: MoveProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const engines = useMemo(() => mounts.filter(({ version }) => version === 2), [mounts]);
  const [typed, setForm] = useState<MoveForm>({
    mode: 'move',
    mount: place.mount,
    path: place.path,
    versions: 'all',
  });
  // The console doesn't write to unversioned engines: their secrets can only be copied to another engine.
  const form = useMemo<MoveForm>(
    () =>
      isWithoutVersions
        ? {
            ...typed,
            mode: 'copy',
            mount: typed.mount === place.mount ? (engines[0]?.path ?? '') : typed.mount,
          }
        : typed,
    [isWithoutVersions, typed, place.mount, engines],
  );
  const [wasTried, setTried] = useState(false);
  const [preview, setPreview] = useState(unknown);
  const [taskId, setTaskId] = useState<number>();
  // The preview when the question opened: it refreshes while the question is open.
  const [asked, setAsked] = useState<Preview>();
  const path = useRef<HTMLInputElement>(null);
  const task = useTasks().find(({ id }) => id === taskId);
  const isRunning = task !== undefined && task.end === undefined;
  const problem = destinationProblem(what, place, form);
  const shown = useDeferredValue(form);
  const isSettled = shown === form && problem === undefined;
  const verb = verbOf(place, form);
  const put = (change: Partial<MoveForm>): void => {
    setForm((before) => ({ ...before, ...change }));
  };
  const { isAsked, asks } = useLadder(preview.harm, nameOf(place.path));
  const submit = (): void => {
    if (problem !== undefined) {
      setTried(true);
      path.current?.focus();
      return;
    }
    if (isRunning || !isSettled || preview.problem !== undefined) return;
    if (isAsked) setAsked(preview);
    else run(preview);
  };
  const run = (seen: Preview): void => {
    setAsked(undefined);
    const body = transferOf(what, place, form, seen.revision);
    const target = { environment: place.environment, mount: form.mount, path: form.path };
    const started = startTask({
      environment: place.environment,
      title: titleOf(what, place, form),
      href: what === 'folder' ? folderHref(target) : secretHref(target),
      unit: form.mode === 'move' ? 'steps' : 'secrets',
      run: (report) =>
        runSequence(report, readTransfer(place.environment, body, report.signal), {
          counted: new Set(form.mode === 'move' ? ['check', 'remove'] : ['check']),
          onceBegun: `The console is undoing the copies, unless it had already begun to delete the originals. Check ${fullName(place)} and ${fullName(form)} in a moment.`,
        }),
    });
    setTaskId(started.id);
    void started.end.then(() => {
      for (const one of [place, target]) {
        staleFolder(queryClient, { ...one, path: folderOf(one.path) });
        void queryClient.invalidateQueries({ queryKey: [one.environment, 'secrets', 'one', one.mount] });
        void queryClient.invalidateQueries({ queryKey: [one.environment, 'secrets', 'metadata', one.mount] });
      }
    });
  };
  const isDone = task?.end?.outcome === 'done';
  if (task !== undefined) {
    const next = isDone ? task.href : here;
    return (
      <div className="mx-auto flex w-full max-w-200 flex-col gap-6 p-4 wide:p-6">
        <Suspense fallback={null}>
          <TaskPanel
            task={task}
            takesFocus
            onPutAway={() => {
              setTaskId(undefined);
              if (isDone) void navigate({ href: next });
            }}
          />
        </Suspense>
        <div className="flex gap-2">
          {!isRunning && !isDone && (
            <Button
              onPress={() => {
                setTaskId(undefined);
              }}
            >
              Edit and retry
            </Button>
          )}
          <LinkButton href={next}>
            {isRunning ? 'Leave it running' : isDone ? `Open the ${what}` : 'Back'}
          </LinkButton>
        </div>
      </div>
    );
  }
  return (
    <div className="mx-auto flex w-full max-w-300 flex-col gap-8 p-4 wide:flex-row wide:p-6">
      <form
        noValidate
        aria-label={`${verb} ${fullName(place)}`}
        className="flex min-w-0 flex-1 flex-col gap-6 wide:max-w-130"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {!isWithoutVersions && (
          <RadioGroup
            label="Action"
            look="card"
            direction="row"
            value={form.mode}
            onChange={(mode) => {
              put({ mode: mode === 'copy' ? 'copy' : 'move' });
            }}
            options={[
              {
                value: 'move',
                label: 'Move or rename',
                description: 'Each secret is copied, compared, then deleted at the old path.',
              },
              { value: 'copy', label: 'Copy', description: 'The original stays.' },
            ]}
          />
        )}
        <Select
          label="Engine"
          options={engines.map(({ path: id, description }) => ({
            id,
            label: id,
            ...(description !== '' && { detail: description }),
          }))}
          value={form.mount}
          onChange={(mount) => {
            put({ mount });
          }}
        />
        <TextField
          label={what === 'folder' ? 'New folder path' : 'New path'}
          description="Folders that don't exist yet are created."
          isMono
          isRequired
          autoFocus
          autoComplete="off"
          spellCheck="false"
          value={form.path}
          inputRef={path}
          onChange={(to) => {
            put({ path: to });
          }}
          onBlur={() => {
            if (form.path !== place.path) setTried(true);
          }}
          error={wasTried ? problem : undefined}
        />
        <EndsNote text={form.path} isPath />
        {!isWithoutVersions && (
          <RadioGroup
            label="Versions"
            look="card"
            direction="row"
            value={form.versions}
            onChange={(versions) => {
              put({ versions: versions === 'latest' ? 'latest' : 'all' });
            }}
            options={[
              {
                value: 'all',
                label: 'All versions',
                description:
                  'All readable versions are copied in order and renumbered. The last becomes current, even if a newer version was deleted.',
              },
              {
                value: 'latest',
                label: 'Newest version only',
                description: 'The newest version becomes version 1 at the new path.',
              },
            ]}
          />
        )}
        {form.mode === 'move' && (
          <Banner tone="info" title="Update everything that uses this path" announce="none">
            Programs, policies and credential libraries that refer to{' '}
            <span className="font-mono text-meta">{fullName(place)}</span> must use the new path afterwards.
            Deleted and destroyed versions aren't moved. They are deleted with the old path.
          </Banner>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            variant="primary"
            disabledReason={
              problem === undefined
                ? (preview.problem ??
                  (!isSettled || preview.count === undefined ? 'The check is still running.' : undefined))
                : undefined
            }
          >
            {verb} {what}
          </Button>
          <LinkButton href={here}>Cancel</LinkButton>
        </div>
      </form>
      <div className="flex min-w-0 flex-1 flex-col gap-6">
        <section aria-label="Preview" className="flex flex-col gap-3">
          <h2 className="border-b border-line pb-1.5 text-heading font-semibold text-ink-1">Preview</h2>
          <Suspense fallback={<SkeletonList label="Loading the preview" lines={5} />}>
            {what === 'folder' ? (
              <FolderPreview place={place} form={shown} isValid={isSettled} onPreview={setPreview} />
            ) : (
              <SecretPreview place={place} form={shown} isValid={isSettled} onPreview={setPreview} />
            )}
          </Suspense>
        </section>
        {what === 'secret' && form.mode === 'move' && <TargetsReading place={place} />}
      </div>
      <ConfirmDialog
        {...asks}
        isOpen={asked !== undefined}
        onOpenChange={() => {
          setAsked(undefined);
        }}
        title={`${titleOf(what, place, form)}?`}
        confirmLabel={`${verb} ${what}`}
        impacts={[
          {
            kind: 'breaks',
            text:
              form.versions === 'latest'
                ? 'All versions except the newest are deleted permanently with the old path.'
                : 'Deleted versions are lost permanently with the old path.',
          },
          ...(asked?.laterLoss === undefined ? [] : [{ kind: 'breaks' as const, text: asked.laterLoss }]),
          { kind: 'breaks', text: `Programs that read ${fullName(place)} will find nothing there.` },
        ]}
        onConfirm={() => {
          if (asked !== undefined) run(asked);
        }}
      />
    </div>
  );
}
