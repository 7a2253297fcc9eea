import type { Operation } from '#operation/operation.ts';

export const getLastKnownCluster: Operation<'replication.getLastKnown'> = async (context, call) => {
  const { environment } = context.directory.secrets(call.params.environment).transport;
  return { known: await context.knownClusters.of(environment) };
};
