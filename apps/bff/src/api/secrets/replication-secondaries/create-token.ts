import { cannotTell } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { createToken } from '#upstreams/secrets-server/replication-changes.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/** The one operation that lets an activation token leave the console. */
export const createActivationToken: Operation<'replicationSecondaries.createToken'> = audited(
  { address: ({ body }) => ({ id: body.id }), became: cannotTell },
  async (context, call) => {
    const { id, ttl, secondary_public_key: publicKey } = call.body;
    // What is created while the caller goes away could be used by nobody: it is brought to its end, and recorded.
    const caller = await secretsCaller(context, call, true);
    const created = await createToken(caller, {
      id,
      ttl,
      publicKey: publicKey === '' ? undefined : publicKey,
    }).catch((error: unknown) => {
      throw error instanceof ServiceError && error.delivery === 'unknown' ? perhapsCreated(error) : error;
    });
    const { token, encrypted, expires } = created;
    return { token, encrypted, expire_time: expires === null ? null : new Date(expires).toISOString() };
  },
);

function perhapsCreated(cause: ServiceError): ProblemError {
  const { service, environment } = cause.init;
  return new ProblemError(
    'outcome-unknown',
    "The server didn't say whether it created an activation token. If it did, it is lost: revoke the secondary with this identifier and create another token.",
    { ...(service !== undefined && { service }), ...(environment !== undefined && { environment }), cause },
  );
}
