import { type Target, target as targetSchema } from '@gatehouse/api-types/console/targets';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { codeSetUp, setNote } from '#components/form/as-code.ts';
import type { Choice, MembersInput } from '#components/form/record-form.ts';
import { credentialSourceHref } from '#components/places/credential-sources.ts';
import { hostSetHref } from '#components/places/host-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { nameOrId, reasonAgainst, type RecordKind } from '#components/record/record-kind.ts';
import { mayBeInjected, sourceDetail, typeLabel } from '#components/source/credential-types.ts';
import { targets } from '#queries/access.ts';
import { credentialChoicesQuery } from '#queries/credential-sources.ts';
import { hostChoicesQuery } from '#queries/host-sources.ts';
import { type CredentialKind, credentialKinds, useTargetSourceWrites } from '#queries/target-sources.ts';
import { shownTargets } from '../../shown-targets.ts';
import { useHostSetNames } from '../use-host-set-names.ts';
import { formKey, sourceForm, type SourceValues } from './source-form.ts';
import { sourcesAsCode } from './sources-as-code.ts';
import { writeSources } from './write-sources.ts';

export const Route = createFileRoute('/$environment/targets/$id/sources/')({
  component: TargetSourcesPage,
});

const route = getRouteApi('/$environment/targets/$id/sources/');

/** The sources that the page knows: by ID, with name and link. */
type Known = Map<string, Choice & { readonly href: string }>;

function valuesOf(target: Target): SourceValues {
  return {
    address: target.address,
    host_source_ids: [...target.host_source_ids],
    brokered_credential_source_ids: [...target.brokered_credential_source_ids],
    injected_application_credential_source_ids: [...target.injected_application_credential_source_ids],
    application_credential_source_ids: [...target.application_credential_source_ids],
  };
}

/** Edits a target's address, host sources and credential sources. */
function TargetSourcesPage() {
  const { id } = route.useParams();
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const writes = useTargetSourceWrites(environment.id);
  const [known] = useState<Known>(() => new Map());
  const names = useHostSetNames(id);
  for (const [set, { name, catalog }] of names) {
    if (!known.has(set))
      known.set(set, {
        value: set,
        label: name,
        description: set,
        href: hostSetHref(environment.id, catalog, set),
      });
  }
  const learn = (target: Target): void => {
    for (const kind of credentialKinds) {
      const summaries =
        target[
          kind === 'brokered_credential_source_ids'
            ? 'brokered_credential_sources'
            : kind === 'injected_application_credential_source_ids'
              ? 'injected_application_credential_sources'
              : 'application_credential_sources'
        ];
      for (const source of summaries) {
        known.set(source.id, {
          value: source.id,
          label: nameOrId(source),
          description: `${typeLabel(source.credential_type)} · ${source.id}`,
          href: credentialSourceHref(environment.id, source.credential_store_id, source.id),
        });
      }
    }
  };
  const scopeOf = async (): Promise<string> => {
    const target = await queryClient.ensureQueryData({
      queryKey: [environment.id, 'access', 'targets', 'one', id],
      queryFn: () => writes.read(id),
    });
    return target.scope_id;
  };
  const shared = {
    kind: 'members' as const,
    member: (source: string): Choice => known.get(source) ?? { value: source, label: source },
    hrefOf: (source: string) => known.get(source)?.href,
  };
  const hostInput: MembersInput = {
    ...shared,
    noun: { one: 'host set', many: 'host sets' },
    emptyText: 'This project has no host sets. Create a host catalog with a set under Host sources.',
    search: (text) => ({
      queryKey: [environment.id, 'access', 'host-choices', 'target', id, text],
      queryFn: async () => {
        const scope = await scopeOf();
        const { items, more } = await queryClient.fetchQuery(hostChoicesQuery(environment.id, scope, text));
        const choices = items.map((choice) => ({
          value: choice.id,
          label: nameOrId(choice),
          description: `${choice.host_catalog_name || choice.host_catalog_id} · ${choice.host_count.toLocaleString('en')} ${choice.host_count === 1 ? 'host' : 'hosts'} · ${choice.id}`,
          href: hostSetHref(environment.id, choice.host_catalog_id, choice.id),
        }));
        for (const choice of choices) known.set(choice.value, choice);
        return { choices, more };
      },
    }),
  };
  const credentialInput = (purpose: CredentialKind): MembersInput => ({
    ...shared,
    noun: { one: 'credential or library', many: 'credentials and libraries' },
    emptyText:
      'This project has no suitable credentials or libraries. Create one in a credential store under Credential sources.',
    search: (text) => ({
      queryKey: [environment.id, 'access', 'credential-choices', 'target', id, purpose, text],
      queryFn: async () => {
        const scope = await scopeOf();
        const { items, more } = await queryClient.fetchQuery(
          credentialChoicesQuery(environment.id, scope, text),
        );
        const offered =
          purpose === 'injected_application_credential_source_ids' ? items.filter(mayBeInjected) : items;
        const choices = offered.map((choice) => ({
          value: choice.id,
          label: nameOrId(choice),
          description: sourceDetail(choice),
          href: credentialSourceHref(environment.id, choice.credential_store_id, choice.id),
        }));
        for (const choice of choices) known.set(choice.value, choice);
        return { choices, more };
      },
    }),
  });
  const kind: RecordKind<Target, SourceValues, never, { before: SourceValues; after: SourceValues }> = {
    ...shownTargets,
    calls: {
      ...targets,
      update: (_, target, guard, { before, after }, reached) =>
        writeSources(writes, { id: target, ...guard }, before, after, reached),
    },
    reasonAgainst: (target) => reasonAgainst(target, 'set-host-sources', shownTargets.noun),
    schema: targetSchema,
    fieldsOf: (target) => {
      learn(target);
      return valuesOf(target);
    },
    formOf: ({ type, injected_application_credential_source_ids: injected }, values) =>
      sourceForm(values, hostInput, credentialInput, type !== 'tcp' || injected.length > 0),
    formKey,
    bodyOf: (_, { stored, values }) => ({ before: stored, after: values }),
    saveLabel: 'Save sources',
    savedWords: ({ name }) => `Sources of ${name} saved`,
    code: {
      of: (_, { item, values }) => sourcesAsCode(item, values),
      note: () => setNote(codeSetUp.access),
    },
  };
  const listHref = `/${environment.id}/targets`;
  const hereHref = `${listHref}/${encodeURIComponent(id)}`;
  return (
    <EditRecord
      kind={kind}
      address={id}
      icon={kind.icon}
      title={(target) => (target === undefined ? 'Change a target' : `Sources of ${target.name}`)}
      ancestors={[{ id: 'targets', label: 'Targets', href: listHref }]}
      hrefOf={() => hereHref}
      goneHref={hereHref}
      listHref={listHref}
    />
  );
}
