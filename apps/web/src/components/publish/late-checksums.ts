/** Checksums that became known after their provider was saved. */
import {
  planOfRun,
  type PublishPlan,
  type PublishRun,
  type PublishRunSummary,
} from '@gatehouse/api-types/console/publish';
import type { PickedImage } from '#lib/uploads/picked-files.ts';

export interface LateChecksum {
  /** One of each kind is enough: what was refused once is not asked again until something has changed. */
  readonly key: string;
  readonly run: string;
  readonly provider: string;
  readonly sha256: string;
}

/**
 * A checksum that this page has computed of a file that is still being sent, where the plan has none yet. Once the image is
 * being delivered the console has computed its own.
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

/** The plan of a run with a late checksum, where it still has none. */
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
