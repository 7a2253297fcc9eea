/** Publishing runs of boxes, and their uploads. */
import * as at from '@gatehouse/api-types/console/addresses/publish';
import type { Box } from '@gatehouse/api-types/console/boxes';
import type { ExistingDecision, PublishPlan, PublishRun } from '@gatehouse/api-types/console/publish';
import type { PickedFile } from '@gatehouse/api-types/console/publish-uploads';
import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call, type Guard } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';
import { staleBox } from './boxes.ts';
import type { CallContext } from './records.ts';

const runsKey = (environment: string) => [environment, 'publish', 'runs'] as const;
const runKey = (environment: string, run: string) => [environment, 'publish', 'run', run] as const;

/** The user's open runs, newest first. */
export async function openRuns(environment: string, context: CallContext) {
  return (await call(at.publishRuns.list, { params: { environment }, query: {}, ...context })).runs;
}

/** The same runs, polled for the tray. */
export const runsQuery = (environment: string) =>
  queryOptions({
    queryKey: runsKey(environment),
    queryFn: ({ signal }) => openRuns(environment, { signal, poll: true }),
    staleTime: 5000,
    retry: false,
  });

export const runQuery = (environment: string, run: string) =>
  queryOptions({
    queryKey: runKey(environment, run),
    queryFn: ({ signal }) => call(at.publishRuns.get, { params: { environment, run }, signal }),
    staleTime: 1000,
  });

function keepRun(queryClient: QueryClient, run: PublishRun): PublishRun {
  const key = runKey(run.environment, run.id);
  const known = queryClient.getQueryData<PublishRun>(key);
  // Answers may arrive in another order than their steps.
  if (known === undefined || Number(known.revision) <= Number(run.revision)) putAnswer(queryClient, key, run);
  void queryClient.invalidateQueries({ queryKey: runsKey(run.environment) });
  const { box } = run;
  if (box !== null) {
    staleBox(queryClient, { environment: run.environment, username: box.username, name: box.name });
  }
  return run;
}

/** Actions on the runs of an environment. Each answer updates its run wherever the page shows it. */
export type PublishWrites = ReturnType<typeof usePublishWrites>;

function begin(environment: string, run: string, provider: string, body: PickedFile) {
  return call(at.publishUploads.begin, { params: { environment, run, provider }, body });
}

async function find(environment: string, size: number, fingerprint: string) {
  return (await call(at.publishUploads.find, { params: { environment }, query: { size, fingerprint } }))
    .uploads;
}

export function usePublishWrites(environment: string) {
  const queryClient = useQueryClient();
  const keep = (run: PublishRun): PublishRun => keepRun(queryClient, run);
  const reload = async (run: string): Promise<PublishRun> =>
    keep(await call(at.publishRuns.get, { params: { environment, run } }));
  /** The server records a failed step too: the run is reloaded to show it. */
  const step = async (run: string, answer: Promise<PublishRun>): Promise<PublishRun> => {
    try {
      return keep(await answer);
    } catch (error) {
      await reload(run).catch(() => undefined);
      throw error;
    }
  };
  return {
    create: async (body: PublishPlan): Promise<PublishRun> =>
      keep(await call(at.publishRuns.create, { params: { environment }, body })),
    plan: (
      { id, revision, decisions }: Guard & Pick<PublishRun, 'id'>,
      body: PublishPlan,
    ): Promise<PublishRun> =>
      step(id, call(at.publishRuns.update, { params: { environment, run: id }, revision, decisions, body })),
    box: (run: string, body: ExistingDecision = {}): Promise<PublishRun> =>
      step(run, call(at.publishRuns.publishBox, { params: { environment, run }, body })),
    version: (run: string, body: ExistingDecision = {}): Promise<PublishRun> =>
      step(run, call(at.publishRuns.publishVersion, { params: { environment, run }, body })),
    provider: (run: string, provider: string, body: ExistingDecision = {}): Promise<PublishRun> =>
      step(run, call(at.publishRuns.publishProvider, { params: { environment, run, provider }, body })),
    /** @param revision the shown version's `whole_revision` */
    release: (run: string, revision: string): Promise<PublishRun> =>
      step(run, call(at.publishRuns.release, { params: { environment, run }, body: { revision } })),
    abandon: async (run: string): Promise<PublishRun> =>
      keep(await call(at.publishRuns.abandon, { params: { environment, run } })),
    reload,
    beginUpload: async (run: string, provider: string, file: PickedFile): ReturnType<typeof begin> => {
      const upload = await begin(environment, run, provider, file);
      await reload(run);
      return upload;
    },
    cancelUpload: async (run: string, provider: string): Promise<void> => {
      await call(at.publishUploads.cancel, { params: { environment, run, provider } });
      await reload(run);
    },
    deliver: async (run: string, provider: string): Promise<void> => {
      await call(at.publishUploads.deliver, { params: { environment, run, provider } });
      await reload(run);
    },
    findUpload: (size: number, fingerprint: string): ReturnType<typeof find> =>
      find(environment, size, fingerprint),
  };
}

/** The newest released version of a box, to suggest the next one. */
export function newestVersion(box: Box | undefined): string | undefined {
  return box?.versions[0]?.version;
}
