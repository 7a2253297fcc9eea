import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { LinkButton } from '@gatehouse/ui/link';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { TextField } from '@gatehouse/ui/text-field';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useFieldProblems } from '#components/form/use-field-problems.ts';
import { compareHref, replicationHref } from '#components/places/replication.ts';
import { problemsOfConnecting } from '../-actions/connection.ts';
import { ConnectionFields } from '../-actions/ConnectionFields.tsx';
import { freeId } from '../-actions/free-id.ts';
import { clusterAt, type Cluster } from '../-clusters/cluster.ts';
import { primaryOf } from '../-clusters/following.ts';
import { modeWords } from '../-clusters/link-words.ts';
import { reasonAgainstAdding, reasonAgainstPrimary } from './choices.ts';
import type { Draft } from './draft.ts';

interface Search {
  readonly primary?: string;
  readonly secondary?: string;
}

/** Which cluster becomes a secondary of which, its ID, and how it connects. */
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
  const submit = (): void => {
    const against = leader && reasonAgainstPrimary(leader);
    const cluster = clusterAt(clusters, search.secondary);
    const wrong = cluster && reasonAgainstAdding(cluster);
    const found = {
      ...(leader === undefined && { primary: 'Choose the primary.' }),
      ...(against !== undefined && { primary: against }),
      ...(cluster === undefined && { secondary: 'Choose the cluster to add.' }),
      ...(wrong !== undefined && { secondary: wrong }),
      ...problemsOfConnecting(draft.connecting),
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
        The console passes the activation token from the primary to the secondary, and never shows it.
      </p>
      {clusters.length < 2 && (
        <Banner tone="info" title="Only one environment has a secrets server" announce="none">
          To add a cluster that isn't an environment of this console, create an activation token on the
          replication page.
        </Banner>
      )}
      <CompareFirst clusters={clusters} />
      <NoPrimary clusters={clusters} />
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
        label="New secondary"
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
        description="The primary's name for the secondary. Used to revoke it and to save its paths filter."
        isMono
        autoComplete="off"
        spellCheck="false"
        value={draft.id === '' ? wanted : draft.id}
        error={problems['id']}
        onChange={(id) => {
          onDraft({ ...draft, id });
          clear('id');
        }}
      />
      <ConnectionFields
        value={draft.connecting}
        problems={problems}
        onChange={(name, text) => {
          onDraft({ ...draft, connecting: { ...draft.connecting, [name]: text } });
          clear(name);
        }}
      />
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary">
          Continue
        </Button>
        <LinkButton href={replicationHref(environment.id)}>Cancel</LinkButton>
      </div>
    </form>
  );
}

/** The way out if no cluster is a primary yet. */
function NoPrimary({ clusters }: { clusters: readonly Cluster[] }) {
  const first = clusters.find(({ mode }) => mode === 'disabled');
  if (first === undefined || clusters.some(({ mode }) => mode === 'primary')) return null;
  return (
    <Banner
      tone="info"
      title="No environment has a primary yet"
      announce="none"
      actions={clusters
        .filter(({ mode }) => mode === 'disabled')
        .map(({ place }) => (
          <LinkButton key={place.id} size={28} href={replicationHref(place.id)}>
            Open {place.name}
          </LinkButton>
        ))}
    >
      First, open the cluster that is to accept writes, and enable it as a primary. None of its data is
      deleted.
    </Banner>
  );
}

/** Suggests a comparison first: a secondary that equals its primary needn't be rebuilt. */
function CompareFirst({ clusters }: { clusters: readonly Cluster[] }) {
  const secondary = clusters.find((cluster) => primaryOf(clusters, cluster) !== undefined);
  const primary = primaryOf(clusters, secondary);
  if (secondary === undefined || primary === undefined) return null;
  return (
    <Banner
      tone="info"
      title="Compare before you rebuild a secondary"
      announce="none"
      actions={
        <LinkButton size={28} href={compareHref(primary.place.id, secondary.place.id)}>
          Compare {secondary.place.name} with {primary.place.name}
        </LinkButton>
      }
    >
      If their digests are equal, their records are equal, and nothing has to be copied again.
    </Banner>
  );
}
