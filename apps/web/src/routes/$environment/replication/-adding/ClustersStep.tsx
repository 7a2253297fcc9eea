import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { LinkButton } from '@gatehouse/ui/link';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { TextField } from '@gatehouse/ui/text-field';
import { useFieldProblems } from '#components/form/use-field-problems.ts';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { replicationHref } from '#components/places/replication.ts';
import { freeId } from '../-actions/free-id.ts';
import { clusterAt, type Cluster } from '../-clusters/cluster.ts';
import { modeWords } from '../-clusters/link-words.ts';
import { reasonAgainstAdding, reasonAgainstPrimary } from './choices.ts';
import type { Draft } from './draft.ts';

interface Search {
  readonly primary?: string;
  readonly secondary?: string;
}

/** Which cluster is added to which, under what identifier, and how it connects. */
export function ClustersStep({
  clusters,
  search,
  draft,
  onSearch,
  onDraft,
  onContinue,
}: {
  clusters: readonly Cluster[];
  search: Search;
  draft: Draft;
  onSearch: (search: Search) => void;
  onDraft: (draft: Draft) => void;
  onContinue: () => void;
}) {
  const environment = useEnvironment();
  const { problems, form, refuse, clear } = useFieldProblems<HTMLFormElement>();
  const leader = clusterAt(clusters, search.primary);
  const wanted = freeId(search.secondary ?? '', leader);
  const write = (name: 'id' | 'primary_api_addr' | 'ca_file' | 'ca_path') => (text: string) => {
    onDraft({ ...draft, [name]: text });
    clear(name);
  };
  const submit = (): void => {
    const against = leader && reasonAgainstPrimary(leader);
    const cluster = clusterAt(clusters, search.secondary);
    const wrong = cluster && reasonAgainstAdding(cluster);
    const address = draft.primary_api_addr.trim();
    const found = {
      ...(leader === undefined && { primary: 'Choose the primary.' }),
      ...(against !== undefined && { primary: against }),
      ...(cluster === undefined && { secondary: 'Choose the cluster that is added.' }),
      ...(wrong !== undefined && { secondary: wrong }),
      ...(address !== '' &&
        !/^https?:\/\/[^\s/]/.test(address) && {
          primary_api_addr: 'Write an address such as https://vault-a.example:8200.',
        }),
    };
    if (refuse(found)) return;
    if (draft.id.trim() === '') onDraft({ ...draft, id: wanted });
    onContinue();
  };
  const optionOf = (cluster: Cluster, reason: string | undefined) => ({
    value: cluster.place.id,
    label: cluster.place.name,
    description: modeWords(cluster).word,
    ...(reason !== undefined && { disabledReason: reason }),
  });
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="text-body text-ink-2">
        The activation goes from one secrets server to the other inside the console. It is shown to nobody.
      </p>
      {clusters.length < 2 && (
        <Banner tone="info" title="There is one environment" announce="none">
          A cluster that is no environment of this console is added with an activation token: create one on
          the replication page.
        </Banner>
      )}
      <RadioGroup
        label="Primary"
        value={search.primary ?? null}
        error={problems['primary']}
        onChange={(primary) => {
          onSearch({ ...search, primary });
          clear('primary');
        }}
        options={clusters.map((cluster) => optionOf(cluster, reasonAgainstPrimary(cluster)))}
      />
      <RadioGroup
        label="Cluster that becomes its secondary"
        description="Everything on it is deleted."
        value={search.secondary ?? null}
        error={problems['secondary']}
        onChange={(secondary) => {
          onSearch({ ...search, secondary });
          clear('secondary');
        }}
        options={clusters
          .filter(({ place }) => place.id !== search.primary)
          .map((cluster) => optionOf(cluster, reasonAgainstAdding(cluster)))}
      />
      <TextField
        label="Identifier"
        description="What the primary calls it. It is revoked and filtered by it."
        isMono
        autoComplete="off"
        spellCheck="false"
        value={draft.id === '' ? wanted : draft.id}
        error={problems['id']}
        onChange={write('id')}
      />
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-2 w-full border-b border-line pb-1.5 text-heading font-semibold text-ink-1">
          How it connects
        </legend>
        <TextField
          label="API address of the primary"
          description="As the secondary reaches it. Empty for the one that the primary names."
          isMono
          autoComplete="off"
          spellCheck="false"
          placeholder="https://vault-a.example:8200"
          value={draft.primary_api_addr}
          error={problems['primary_api_addr']}
          onChange={write('primary_api_addr')}
        />
        <TextField
          label="File of authorities"
          description="PEM, on the secondary's server. Empty for those of its system."
          isMono
          autoComplete="off"
          spellCheck="false"
          value={draft.ca_file}
          onChange={write('ca_file')}
        />
        <TextField
          label="Folder of authorities"
          description="Instead of a file."
          isMono
          autoComplete="off"
          spellCheck="false"
          value={draft.ca_path}
          onChange={write('ca_path')}
        />
      </fieldset>
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary">
          Continue
        </Button>
        <LinkButton href={replicationHref(environment.id)}>Cancel</LinkButton>
      </div>
    </form>
  );
}
