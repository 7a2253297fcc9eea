/** Checksums that were computed after their provider was saved. */
import {
  planOfRun,
  type PublishPlan,
  type PublishRun,
  type PublishRunSummary,
} from '@gatehouse/api-types/console/publish';
import type { PickedImage } from '#lib/uploads/picked-files.ts';

export interface LateChecksum {
  /** Identifies the write: one that was refused isn't repeated until something has changed. */
  readonly key: string;
  readonly run: string;
  readonly provider: string;
  readonly sha256: string;
}

/**
 * A checksum that this page has computed for a file being sent, if the plan has none. During a delivery, the
 * console has computed its own.
 */
export function lateChecksum(
  runs: readonly PublishRunSummary[],
  images: readonly PickedImage[],
): LateChecksum | undefined {
  for (const run of runs) {
    if (run.state !== 'open') continue;
    for (const { id, source, checksum, step, upload } of run.providers) {
      const image = images.find(({ key }) => key === id);
      if (
        source.kind !== 'image' ||
        checksum !== '' ||
        step.state !== 'done' ||
        upload?.state !== 'receiving' ||
        image?.sha256 === undefined ||
        image.fingerprint !== upload.file.fingerprint
      ) {
        continue;
      }
      const { sha256 } = image;
      return { key: `${id} ${sha256} ${run.revision}`, run: run.id, provider: id, sha256 };
    }
  }
  return undefined;
}

/** A run's plan with a late checksum added, if it still has none. */
export function planWithChecksum(
  run: Pick<PublishRun, 'box' | 'version' | 'providers'>,
  late: LateChecksum,
): PublishPlan {
  const plan = planOfRun(run);
  const providers = plan.providers.map((provider) =>
    provider.id === late.provider && provider.checksum === ''
      ? { ...provider, checksum: late.sha256, checksum_type: 'sha256' as const }
      : provider,
  );
  return { ...plan, providers };
}
