import { secondsOf } from '@gatehouse/api-types/console/cloud-values';
import { cannotTell } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { issueCredential } from '#upstreams/secrets-server/cloud.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { inCloud, cloudCaller } from '../cloud-calls.ts';

const generateCloudCredential: Operation<'cloudCredentials.generate'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const { mount, role } = call.params;
    const { from, role_arn, role_session_name, ttl } = call.body;
    // Continues when the caller leaves, so that issued credentials are recorded.
    const caller = await cloudCaller(context, call, true);
    const query = {
      role_arn: role_arn === '' ? undefined : role_arn,
      role_session_name: role_session_name === '' ? undefined : role_session_name,
      ttl: ttl === undefined ? undefined : `${secondsOf(ttl)}s`,
    };
    const issued = await issueCredential(caller, { mount, role }, from, query).catch((error: unknown) => {
      throw error instanceof ServiceError && error.delivery === 'unknown' ? perhapsIssued(error) : error;
    });
    const { lease_id, renewable, lease_duration, data } = issued;
    const now = caller.now();
    return {
      access_key: data.access_key,
      secret_key: data.secret_key,
      security_token: data.security_token || null,
      arn: data.arn,
      lease_id,
      renewable,
      issued_time: new Date(now).toISOString(),
      expire_time: new Date(now + (lease_duration || data.ttl) * 1000).toISOString(),
    };
  },
);

export const cloudCredentialOperations = resource(inCloud, {
  'cloudCredentials.generate': generateCloudCredential,
});

function perhapsIssued(cause: ServiceError): ProblemError {
  const { service, environment } = cause.init;
  return new ProblemError(
    'outcome-unknown',
    "The server didn't say whether it issued credentials. If it did, this role has a lease that nobody uses. Check the role's leases.",
    { ...(service !== undefined && { service }), ...(environment !== undefined && { environment }), cause },
  );
}
