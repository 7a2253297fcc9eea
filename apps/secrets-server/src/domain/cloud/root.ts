/** The credentials of a cloud engine and the endpoints that they are used at. An empty text means not set. */
export interface RootConfig {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  readonly iamEndpoint: string;
  readonly stsEndpoint: string;
  /** Retries after the first attempt; -1 for the SDK's default. */
  readonly maxRetries: number;
  /**
   * The manually configured access key and IAM endpoint; a rotation keeps the origin. A user can only be confirmed as
   * deleted under the origin that created it, because another origin may be another account.
   */
  readonly origin: string;
}

/** The origin of newly configured credentials. */
export function originOf({ accessKey, iamEndpoint }: Pick<RootConfig, 'accessKey' | 'iamEndpoint'>): string {
  return `${accessKey}@${iamEndpoint}`;
}

/** The server's environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The region for which requests are signed. */
export function regionOf(config: RootConfig, environment: Environment): string {
  const { CLOUD_REGION: own, CLOUD_DEFAULT_REGION: fallback } = environment;
  return (
    [config.region, own, fallback].find((region) => region !== undefined && region !== '') ?? 'us-east-1'
  );
}

/** The configured keys, or else those of the environment variables; undefined if neither are set. */
export function keysOf(
  config: RootConfig,
  environment: Environment,
): { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined {
  if (config.accessKey !== '') return { accessKeyId: config.accessKey, secretAccessKey: config.secretKey };
  const { CLOUD_ACCESS_KEY: accessKeyId = '', CLOUD_SECRET_KEY: secretAccessKey = '' } = environment;
  return accessKeyId === '' || secretAccessKey === '' ? undefined : { accessKeyId, secretAccessKey };
}
