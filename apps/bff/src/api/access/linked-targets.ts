import type { Target } from '@gatehouse/api-types/console/targets';
import { mapInOrder } from '#api/concurrently.ts';
import type { Context } from '#operation/context.ts';
import { audited, type AuditedRun } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { accessCaller } from './caller.ts';
import { secretLinks } from './secret-links.ts';

/** The number of libraries read concurrently. */
const atOnce = 8;

type Source = Target['brokered_credential_sources'][number];

/** Adds the links of `linked` to an operation that changes the target. */
export function linkedWrite<OneCall extends ServiceCall>(operation: AuditedRun<OneCall, Target>) {
  return audited(operation, linked(operation));
}

/** Adds the links to secrets and cloud roles that the target's libraries read to an operation that returns a target. */
export function linked<Call extends ServiceCall>(
  operation: (context: Context, call: Call) => Promise<Target>,
) {
  return async (context: Context, call: Call): Promise<Target> => {
    const target = await operation(context, call);
    const libraries = new Set(
      sourceKinds.flatMap((kind) => target[kind].map(({ id }) => id).filter(isLibrary)),
    );
    if (libraries.size === 0) return target;
    // The change is already made, so it isn't reported as failed if nothing more can be read.
    const caller = await accessCaller(context, call).catch(() => undefined);
    const linkOf = caller && secretLinks(context, call, caller);
    if (caller === undefined || linkOf === undefined) return target;
    // A library that the caller can't see keeps its place, without a link.
    const link = async (id: string) =>
      [id, await credentialLibraries.get(caller, id).then(linkOf, () => ({}))] as const;
    const links = new Map(await Array.fromAsync(mapInOrder(libraries, link, atOnce)));
    const withLinks = (sources: readonly Source[]): Source[] =>
      sources.map((source) => ({ ...source, ...links.get(source.id) }));
    return {
      ...target,
      brokered_credential_sources: withLinks(target.brokered_credential_sources),
      injected_application_credential_sources: withLinks(target.injected_application_credential_sources),
      application_credential_sources: withLinks(target.application_credential_sources),
    };
  };
}

const sourceKinds = [
  'brokered_credential_sources',
  'injected_application_credential_sources',
  'application_credential_sources',
] as const;

function isLibrary(id: string): boolean {
  return id.startsWith('clvlt_');
}
