import type { ObjectStore } from './object-store.ts';

/**
 * Opens the S3-compatible store that environment variables configure. For the name BOXES: GATEHOUSE_BOXES_S3_BUCKET,
 * GATEHOUSE_BOXES_S3_PREFIX (default `boxes/`), GATEHOUSE_BOXES_S3_ENDPOINT (AWS unless given), AWS_REGION (default
 * us-east-1), AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or the machine's role).
 * @returns undefined without a bucket
 * @throws StoreUnavailable when the store can't be reached
 */
export async function objectsFromEnvironment(
  name: 'BOXES' | 'MODULES',
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ObjectStore | undefined> {
  const bucket = environment[`GATEHOUSE_${name}_S3_BUCKET`];
  if (bucket === undefined || bucket === '') return undefined;
  const endpoint = environment[`GATEHOUSE_${name}_S3_ENDPOINT`];
  // The AWS library is large, so it isn't loaded when objects are stored on disk.
  const { s3Objects } = await import('./s3.ts');
  return s3Objects({
    bucket,
    prefix: environment[`GATEHOUSE_${name}_S3_PREFIX`] ?? `${name.toLowerCase()}/`,
    region: environment['AWS_REGION'] ?? 'us-east-1',
    ...(endpoint !== undefined && { endpoint }),
  });
}
