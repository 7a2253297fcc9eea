/** Whose credentials an engine works with, and where. Empty texts are what was not set. */
export interface RootConfig {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  readonly iamEndpoint: string;
  readonly stsEndpoint: string;
  /** After the first attempt; -1 for the SDK's own. */
  readonly maxRetries: number;
  /**
   * The key and the endpoint that were configured by hand; a rotation keeps it. What was made under one origin is known
   * to be gone under the same one alone: another may be another account.
   */
  readonly origin: string;
}

/** The origin of credentials that are configured now. */
export function originOf({ accessKey, iamEndpoint }: Pick<RootConfig, 'accessKey' | 'iamEndpoint'>): string {
  return `${accessKey}@${iamEndpoint}`;
}

/** Variables of the server's environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The region that calls are signed for. */
export function regionOf(config: RootConfig, environment: Environment): string {
  const { CLOUD_REGION: own, CLOUD_DEFAULT_REGION: fallback } = environment;
  return (
    [config.region, own, fallback].find((region) => region !== undefined && region !== '') ?? 'us-east-1'
  );
}

/** The keys of the configuration, or else of the environment; undefined when there are none. */
export function keysOf(
  config: RootConfig,
  environment: Environment,
): { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined {
  if (config.accessKey !== '') return { accessKeyId: config.accessKey, secretAccessKey: config.secretKey };
  const { CLOUD_ACCESS_KEY: accessKeyId = '', CLOUD_SECRET_KEY: secretAccessKey = '' } = environment;
  return accessKeyId === '' || secretAccessKey === '' ? undefined : { accessKeyId, secretAccessKey };
}
