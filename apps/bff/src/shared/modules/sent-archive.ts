import { archiveLimitBytes } from '@gatehouse/api-types/console/modules';
import { BadArchive } from '@gatehouse/module-archive/bad-archive';
import { archiveBounds } from '@gatehouse/module-archive/read-archive';
import { ProblemError } from '#ground/problem.ts';

/** Bounds of archives that are sent through the console. */
export const sentBounds = { ...archiveBounds, sentBytes: archiveLimitBytes };

/**
 * Works on an archive that a person sent.
 * @throws ProblemError `invalid-request` with the reason beside the field when it is no module's
 */
export async function withArchive<Result>(
  base64: string,
  environment: string,
  work: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
    const message = `${error.message}.`;
    throw new ProblemError('invalid-request', message, {
      service: 'modules',
      environment,
      fields: [{ path: 'archive', message }],
    });
  }
}
