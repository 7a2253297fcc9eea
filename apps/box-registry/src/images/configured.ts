import type { ImageStore } from './image-store.ts';

/**
 * The S3-compatible store that variables name: GATEHOUSE_BOXES_S3_BUCKET, GATEHOUSE_BOXES_S3_PREFIX (`boxes/`),
 * GATEHOUSE_BOXES_S3_ENDPOINT (AWS unless given), AWS_REGION (us-east-1), AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or
 * the machine's role). Undefined without a bucket.
 * @throws StoreUnavailable when it cannot be reached
 */
export async function imagesFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ImageStore | undefined> {
  const bucket = environment['GATEHOUSE_BOXES_S3_BUCKET'];
  if (bucket === undefined || bucket === '') return undefined;
  const endpoint = environment['GATEHOUSE_BOXES_S3_ENDPOINT'];
  // Its library is large: who keeps images on disk does not load it.
  const { s3Images } = await import('./s3.ts');
  return s3Images({
    bucket,
    prefix: environment['GATEHOUSE_BOXES_S3_PREFIX'] ?? 'boxes/',
    region: environment['AWS_REGION'] ?? 'us-east-1',
    ...(endpoint !== undefined && { endpoint }),
  });
}
