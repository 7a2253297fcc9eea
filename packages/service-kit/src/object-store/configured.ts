import type { ObjectStore } from './object-store.ts';

/**
 * The S3-compatible store that variables name. For the name BOXES: GATEHOUSE_BOXES_S3_BUCKET, GATEHOUSE_BOXES_S3_PREFIX
 * (`boxes/`), GATEHOUSE_BOXES_S3_ENDPOINT (AWS unless given), AWS_REGION (us-east-1), AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or
 * the machine's role). Undefined without a bucket.
 * @throws StoreUnavailable when it cannot be reached
 */
export async function objectsFromEnvironment(
  name: 'BOXES' | 'MODULES',
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ObjectStore | undefined> {
  const bucket = environment[`GATEHOUSE_${name}_S3_BUCKET`];
  if (bucket === undefined || bucket === '') return undefined;
  const endpoint = environment[`GATEHOUSE_${name}_S3_ENDPOINT`];
  // Its library is large: who keeps objects on disk does not load it.
  const { s3Objects } = await import('./s3.ts');
  return s3Objects({
    bucket,
    prefix: environment[`GATEHOUSE_${name}_S3_PREFIX`] ?? `${name.toLowerCase()}/`,
    region: environment['AWS_REGION'] ?? 'us-east-1',
    ...(endpoint !== undefined && { endpoint }),
  });
}
