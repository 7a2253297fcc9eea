import type { Target } from '@gatehouse/api-types/console/targets';
import type { Operation } from '../../http/operation.ts';
import type { AccessCaller } from '../../upstreams/access-controller/client.ts';
import { credentialLibraries } from '../../upstreams/access-controller/credential-libraries.ts';
import { targets } from '../../upstreams/access-controller/targets.ts';
import { accessCaller } from './caller.ts';
import { secretLinks, type SecretLinks } from './secret-links.ts';

type Source = Target['brokered_credential_sources'][number];

export const getTarget: Operation<'getTarget'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const target = await targets.get(caller, call.params.id);
  const link = secretLinks(context, caller);
  if (link === undefined) return target;
  const linked = (sources: readonly Source[]): Promise<Source[]> =>
    Promise.all(sources.map((source) => withSecret(caller, source, link)));
  const [brokered, injected, application] = await Promise.all([
    linked(target.brokered_credential_sources),
    linked(target.injected_application_credential_sources),
    linked(target.application_credential_sources),
  ]);
  return {
    ...target,
    brokered_credential_sources: brokered,
    injected_application_credential_sources: injected,
    application_credential_sources: application,
  };
};

async function withSecret(caller: AccessCaller, source: Source, link: SecretLinks): Promise<Source> {
  if (!source.id.startsWith('clvlt_')) return source;
  // A library that is not shown to the caller keeps its place, without a link.
  const library = await credentialLibraries.get(caller, source.id).catch(() => undefined);
  const secret = library === undefined ? undefined : await link(library);
  return secret === undefined ? source : { ...source, secret };
}
