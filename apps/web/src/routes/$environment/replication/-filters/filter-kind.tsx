import * as at from '@gatehouse/api-types/console/addresses/replication';
import {
  fieldsOfFilter,
  replicationFilter,
  replicationFilterFields,
  replicationFilterPolicy,
  type ReplicationFilter,
  type ReplicationFilterFields,
} from '@gatehouse/api-types/console/replication-secondaries';
import { Filter } from 'lucide-react';
import { codeSetUp, curlCommand, shellCommand, shellWord, type CodeForms } from '#components/form/as-code.ts';
import type { RecordFormSpec } from '#components/form/record-form.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import type { SaveGuard } from '#components/record/SaveQuestion.tsx';
import { queryClient } from '#lib/query-client.ts';
import { filterPreviewQuery, replicationFilters } from '#queries/replication.ts';
import { impactsOfFilter } from './filter-effects.ts';
import { filterModes } from './filter-modes.ts';
import { FilterPreview } from './FilterPreview.tsx';
import { pathsInput } from './paths-input.ts';

function filterForm(environment: string, isFiltered: boolean): RecordFormSpec<ReplicationFilterFields> {
  const paths = { path: 'paths', label: 'Mounts and namespaces', input: pathsInput(environment) } as const;
  return {
    noun: 'paths filter',
    schema: replicationFilterFields,
    policy: replicationFilterPolicy,
    sections: [
      {
        title: 'Replicated data',
        description: 'A path includes everything below it. Local mounts are never replicated.',
        fields: [
          { path: 'mode', label: 'What to replicate', input: { kind: 'choice', options: filterModes } },
          ...(isFiltered ? [paths] : []),
        ],
      },
    ],
    // Not in the form, but a conflict shows it, because someone else may change it.
    inConflict: isFiltered ? [] : [paths],
  };
}

export type FilterKind = RecordKind<
  ReplicationFilter,
  ReplicationFilterFields,
  never,
  ReplicationFilterFields
>;

/** A secondary's paths filter as an editable record. @param reason why it can't be saved */
export function filterKindOf(environment: string, reason: string | undefined): FilterKind {
  const forms = { filtered: filterForm(environment, true), all: filterForm(environment, false) };
  return {
    calls: replicationFilters,
    noun: 'paths filter',
    icon: Filter,
    nameOf: ({ secondary }) => `of ${secondary}`,
    reasonAgainst: () => reason,
    schema: replicationFilter,
    fieldsOf: fieldsOfFilter,
    formOf: (_, { mode }) => (mode === 'all' ? forms.all : forms.filtered),
    formKey: ({ mode }) => (mode === 'all' ? 'all' : 'filtered'),
    // A filter is written as a whole.
    bodyOf: (_, { values }) => values,
    guardOf: ({ item, values }) => guardOfFilter(environment, item, values),
    code: {
      of: (fields, { item: { secondary } }) => filterAsCode(secondary, fields),
      note: () => `The same filter on the command line. ${codeSetUp.secrets}`,
    },
    asideOf: ({ item, values }, code) => (
      <div className="flex flex-col gap-6">
        <section aria-label="Preview" className="flex flex-col gap-3">
          <h2 className="border-b border-line pb-1.5 text-heading font-semibold text-ink-1">Preview</h2>
          <FilterPreview environment={environment} secondary={item.secondary} fields={values} />
        </section>
        {code}
      </div>
    ),
  };
}

async function guardOfFilter(
  environment: string,
  { secondary }: ReplicationFilter,
  { mode, paths }: ReplicationFilterFields,
): Promise<SaveGuard> {
  const preview = await queryClient.fetchQuery({
    ...filterPreviewQuery(environment, { secondary, mode, paths }),
    staleTime: 0,
  });
  const asked = { typedName: secondary, impacts: impactsOfFilter(secondary, mode, preview) };
  return mode === 'all'
    ? {
        ...asked,
        harm: at.replicationSecondaries.deleteFilter.harm,
        title: `Delete the paths filter of ${secondary}?`,
        confirmLabel: 'Delete paths filter',
      }
    : {
        ...asked,
        harm: at.replicationSecondaries.saveFilter.harm,
        title: `Save the paths filter of ${secondary}?`,
        confirmLabel: 'Save paths filter',
      };
}

function filterAsCode(secondary: string, { mode, paths }: ReplicationFilterFields): CodeForms {
  const path = `sys/replication/performance/primary/paths-filter/${secondary}`;
  if (mode === 'all')
    return {
      cli: shellCommand(`vault delete ${shellWord(path)}`, []),
      http: curlCommand({
        method: 'DELETE',
        addressVariable: 'VAULT_ADDR',
        tokenVariable: 'VAULT_TOKEN',
        path: `/v1/${path}`,
      }),
    };
  const folders = paths.map((each) => `${each}/`);
  return {
    cli: shellCommand(`vault write ${shellWord(path)}`, [
      `mode=${mode}`,
      `paths=${shellWord(folders.join(','))}`,
    ]),
    http: curlCommand({
      method: 'POST',
      addressVariable: 'VAULT_ADDR',
      tokenVariable: 'VAULT_TOKEN',
      path: `/v1/${path}`,
      body: { mode, paths: folders },
    }),
  };
}
