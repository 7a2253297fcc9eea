import { fromIni } from '@aws-sdk/credential-provider-ini';
import { fromContainerMetadata, fromInstanceMetadata } from '@smithy/credential-provider-imds';
import type { AwsCredentialIdentityProvider } from '@smithy/types';
import type { Environment } from '#domain/cloud/root.ts';

/** How long the machine's own service for credentials may take to answer, in milliseconds. */
const metadataTimeout = 1000;

/** Credentials where neither the configuration nor the environment has any: shared files, then the machine's role. */
export function machineCredentials(environment: Environment): AwsCredentialIdentityProvider {
  const files = fromIni({
    ...(environment['AWS_PROFILE'] !== undefined && { profile: environment['AWS_PROFILE'] }),
    ...(environment['AWS_SHARED_CREDENTIALS_FILE'] !== undefined && {
      filepath: environment['AWS_SHARED_CREDENTIALS_FILE'],
    }),
    ...(environment['AWS_CONFIG_FILE'] !== undefined && { configFilepath: environment['AWS_CONFIG_FILE'] }),
  });
  const inContainer =
    environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'] !== undefined ||
    environment['AWS_CONTAINER_CREDENTIALS_FULL_URI'] !== undefined;
  const role = (inContainer ? fromContainerMetadata : fromInstanceMetadata)({
    timeout: metadataTimeout,
    maxRetries: 1,
  });
  const withoutRole = environment['AWS_EC2_METADATA_DISABLED'] === 'true' && !inContainer;
  return async () => {
    try {
      return await files();
    } catch (error) {
      if (withoutRole) throw error;
      return await role();
    }
  };
}
