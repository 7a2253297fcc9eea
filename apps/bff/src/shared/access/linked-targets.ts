import type { Target } from '@gatehouse/api-types/console/targets';
import type { Context } from '#operation/context.ts';
import { audited, type AuditedRun } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { accessCaller } from './caller.ts';
import { secretLinks, type SecretLinks } from './secret-links.ts';

type Source = Target['brokered_credential_sources'][number];

/** The same for an operation that changes the target. */
export function linkedWrite<OneCall extends ServiceCall>(operation: AuditedRun<OneCall, Target>) {
  return audited(operation, linked(operation));
}

/** Adds to an operation that answers one target the secrets and cloud roles which its libraries read. */
export function linked<Call extends ServiceCall>(
  operation: (context: Context, call: Call) => Promise<Target>,
) {
  return async (context: Context, call: Call): Promise<Target> => {
    const target = await operation(context, call);
    const kinds = sourceKinds.map((kind) => target[kind]);
    if (!kinds.some((sources) => sources.some(isLibrary))) return target;
    // What was done stays done, though nothing more can be asked.
    const caller = await accessCaller(context, call).catch(() => undefined);
    const link = caller && secretLinks(context, call, caller);
    if (caller === undefined || link === undefined) return target;
    const withSecrets = (sources: readonly Source[]): Promise<Source[]> =>
      Promise.all(sources.map((source) => withSecret(caller, source, link)));
    const [brokered, injected, application] = await Promise.all([
      withSecrets(target.brokered_credential_sources),
      withSecrets(target.injected_application_credential_sources),
      withSecrets(target.application_credential_sources),
    ]);
    return {
      ...target,
      brokered_credential_sources: brokered,
      injected_application_credential_sources: injected,
      application_credential_sources: application,
    };
  };
}

const sourceKinds = [
  'brokered_credential_sources',
  'injected_application_credential_sources',
  'application_credential_sources',
] as const;

function isLibrary({ id }: Source): boolean {
  return id.startsWith('clvlt_');
}

async function withSecret(caller: AccessCaller, source: Source, link: SecretLinks): Promise<Source> {
  if (!isLibrary(source)) return source;
  // A library that is not shown to the caller keeps its place, without a link.
  const library = await credentialLibraries.get(caller, source.id).catch(() => undefined);
  return library === undefined ? source : { ...source, ...(await link(library)) };
}
