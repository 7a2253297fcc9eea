/** What happens automatically between the steps: a received image is delivered once its provider is in the registry. */
import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { Connections } from '#session/connections.ts';
import type { ActiveSession } from '#session/session.ts';
import type { PublishUploadRow } from '#store/schema.ts';
import type { Deliveries } from './deliveries.ts';
import type { Runs } from './runs.ts';
import type { Uploads } from './uploads.ts';

export type Publishing = ReturnType<typeof createPublishing>;

export function createPublishing(parts: {
  readonly uploads: Uploads;
  readonly runs: Runs;
  readonly deliveries: Deliveries;
  readonly connections: Connections;
}) {
  const { uploads, runs, deliveries, connections } = parts;
  const deliver = async (uploadId: string, environment: string, session: ActiveSession): Promise<void> => {
    const token = await connections.token(session.id, environment, 'boxes');
    if (typeof token !== 'string') {
      await deliveries.start(uploadId, token, session.id);
      return;
    }
    await uploads.change(uploadId, ['received'], {
      state: 'failed',
      problem_code: 'not-connected',
      problem_detail:
        token === 'none'
          ? "You aren't signed in to the box registry. Sign in and deliver again."
          : 'Your token for the box registry can no longer be used. Sign in and deliver again.',
      retry: 'deliver',
    });
  };
  return {
    /**
     * Stops an upload's delivery and drops it. Another console may send the last bytes until then.
     * @returns false if the image was delivered by then: the upload stays as it is
     */
    async cancel(uploadId: string): Promise<boolean> {
      await deliveries.stop(uploadId);
      const row = await uploads.drop(uploadId, 'cancelled');
      if (row?.state === 'cancelled' && row.sha256 !== null) {
        await runs.log(
          row.run_id,
          `The last bytes of ${row.file_name} had already been sent, so the registry may have the image.`,
        );
      }
      return row?.state !== 'done';
    },
    /** The last byte of an upload was received. */
    async received(uploadId: string, session: ActiveSession): Promise<void> {
      const row = await uploads.get(uploadId);
      if (row === undefined) return;
      const run = await runs.find(row.run_id);
      const provider = run?.plan.providers.find(({ id }) => id === row.provider_id);
      await runs.log(row.run_id, `${row.file_name} was received.`, {
        provider: provider === undefined ? '' : providerLabel(provider),
      });
      if (provider?.step.state === 'done') await deliver(row.id, row.environment, session);
    },
    /** The step of a provider is done, so its received image can be delivered. */
    async providerDone(runId: string, providerId: string, session: ActiveSession): Promise<void> {
      const row = await uploads.of(runId, providerId);
      if (row?.state !== 'received' || row.sealed_token !== null) return;
      const provider = (await runs.find(runId))?.plan.providers.find(({ id }) => id === providerId);
      if (provider?.step.state === 'done') await deliver(row.id, row.environment, session);
    },
    /** Starts deliveries that were due when the console ended, before they had a token. */
    async takeUp(rows: readonly PublishUploadRow[], session: ActiveSession): Promise<void> {
      for (const { id, state, sealed_token, run_id, provider_id, environment } of rows) {
        if (state !== 'received' || sealed_token !== null) continue;
        const run = await runs.find(run_id);
        const provider = run?.plan.providers.find((one) => one.id === provider_id);
        if (run?.state !== 'open' || provider?.step.state !== 'done') continue;
        const token = await connections.token(session.id, environment, 'boxes');
        if (typeof token !== 'string') await deliveries.start(id, token, session.id);
      }
    },
  };
}
