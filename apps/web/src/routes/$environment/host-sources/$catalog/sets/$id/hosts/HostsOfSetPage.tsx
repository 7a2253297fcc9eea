import { type Host, hostSet, type HostSet } from '@gatehouse/api-types/console/host-sources';
import { record, set as setPolicy } from '@gatehouse/record-merge/policy';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod/mini';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { codeSetUp, hclBlock, hclName, setNote } from '#components/form/as-code.ts';
import type { Choice, RecordFormSpec } from '#components/form/record-form.ts';
import { catalogHref, hostHref, hostSetHref } from '#components/places/host-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { setMembersAsCode } from '#components/record/record-as-code.ts';
import { reasonAgainst, type RecordKind } from '#components/record/record-kind.ts';
import { hosts, type HostsChange, hostsOfSets } from '#queries/host-sources.ts';
import { recordListQuery } from '#queries/records.ts';
import { useCatalog } from '#routes/$environment/host-sources/$catalog/use-catalog.ts';
import { hostSetNames } from '#routes/$environment/host-sources/forms.ts';
import { shownHosts, shownHostSets } from '#routes/$environment/host-sources/kinds.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/$id/hosts/')({
  component: HostsOfSetPage,
});

const route = getRouteApi('/$environment/host-sources/$catalog/sets/$id/hosts/');

interface Members {
  host_ids: string[];
}

/** The maximum number of suggestions. */
const offeredLimit = 50;

/** Edits a set's hosts. */
function HostsOfSetPage() {
  const { catalog, id } = route.useParams();
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const { ancestors } = useCatalog(catalog);
  const list = recordListQuery(hosts, environment.id, catalog);
  const [spec] = useState<RecordFormSpec<Members>>(() => ({
    noun: 'host set',
    schema: z.strictObject({ host_ids: z.array(z.string()) }),
    policy: record({ host_ids: setPolicy }),
    sections: [
      {
        title: 'Hosts',
        description: 'A session on a target that uses this set connects to one of its hosts.',
        fields: [
          {
            path: 'host_ids',
            label: 'Hosts',
            input: {
              kind: 'members',
              noun: { one: 'host', many: 'hosts' },
              emptyText: 'The catalog has no hosts yet. Create one in the catalog first.',
              hrefOf: (host) => hostHref(environment.id, catalog, host),
              member: (host) => inWords(queryClient.getQueryData<readonly Host[]>(list.queryKey), host),
              search: (text) => ({
                queryKey: [...list.queryKey, 'search', text],
                queryFn: async () => {
                  const all = await queryClient.fetchQuery(list);
                  const found = all.filter((host) => isMatch(host, text.toLowerCase()));
                  return {
                    choices: found.slice(0, offeredLimit).map(choiceOf),
                    more: found.length > offeredLimit,
                  };
                },
              }),
            },
          },
        ],
      },
    ],
  }));
  const here = hostSetHref(environment.id, catalog, id);
  const kind: RecordKind<HostSet, Members, never, HostsChange> = {
    ...shownHostSets,
    calls: hostsOfSets,
    reasonAgainst: (set) => reasonAgainst(set, 'set-hosts', shownHostSets.noun),
    schema: hostSet,
    fieldsOf: ({ host_ids }) => ({ host_ids: [...host_ids] }),
    formOf: () => spec,
    bodyOf: (_, { stored, values }) => ({ before: stored.host_ids, after: values.host_ids }),
    saveLabel: 'Save hosts',
    savedWords: (set) => `Hosts of ${shownHostSets.nameOf(set)} saved`,
    code: {
      of: (_, { item, values: { host_ids: ids } }) => ({
        ...setMembersAsCode(item, {
          collection: 'host-sets',
          action: 'set-hosts',
          members: [{ field: 'host_ids', flag: 'host', ids }],
        }),
        terraform: hclBlock('resource', [hostSetNames.resource, hclName(item.name)], {
          name: item.name,
          host_catalog_id: catalog,
          host_ids: ids,
        }),
      }),
      note: () => setNote(codeSetUp.access),
    },
  };
  return (
    <EditRecord
      kind={kind}
      address={id}
      icon={kind.icon}
      title={(set) => (set === undefined ? 'Change a host set' : `Hosts of ${kind.nameOf(set)}`)}
      ancestors={ancestors}
      hrefOf={() => here}
      goneHref={here}
      listHref={catalogHref(environment.id, catalog)}
    />
  );
}

function isMatch(host: Host, needle: string): boolean {
  return [host.id, host.name, host.description, host.attributes.address].some((text) =>
    text.toLowerCase().includes(needle),
  );
}

function choiceOf(host: Host): Choice {
  const label = shownHosts.nameOf(host);
  const { address } = host.attributes;
  return { value: host.id, label, description: label === address ? host.id : `${address} · ${host.id}` };
}

function inWords(known: readonly Host[] | undefined, id: string): Choice {
  const host = known?.find((candidate) => candidate.id === id);
  return host === undefined ? { value: id, label: id } : choiceOf(host);
}
