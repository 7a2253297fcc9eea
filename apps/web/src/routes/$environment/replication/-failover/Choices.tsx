import { RadioGroup } from '@gatehouse/ui/radio-group';
import { Select } from '@gatehouse/ui/select';
import type { Cluster } from '../-clusters/cluster.ts';
import { modeWords } from '../-clusters/link-words.ts';
import type { Named } from './proposed.ts';

/** The situation, and the clusters that change roles. */
export function Choices({
  clusters,
  search,
  onChange,
}: {
  clusters: readonly Cluster[];
  search: Named;
  onChange: (search: Named) => void;
}) {
  // Keeps the named clusters in the lists, since a running change has already changed their roles.
  const optionsOf = (named: string | undefined, modes: readonly Cluster['mode'][]) =>
    clusters
      .filter(({ mode, place }) => modes.includes(mode) || place.id === named)
      .map((cluster) => ({
        id: cluster.place.id,
        label: `${cluster.place.name}: ${modeWords(cluster).word.toLowerCase()}`,
      }));
  return (
    <>
      <RadioGroup
        label="Situation"
        look="card"
        direction="row"
        value={search.kind}
        onChange={(kind) => {
          onChange({ ...search, kind: kind === 'unplanned' ? 'unplanned' : 'planned' });
        }}
        options={[
          {
            value: 'planned',
            label: 'Planned: both clusters work',
            description: 'No acknowledged writes are lost. Writes fail for a short time.',
          },
          {
            value: 'unplanned',
            label: 'The primary is lost',
            description:
              'Its last writes may be lost. You see how far behind the new primary was, and later which writes were lost.',
          },
        ]}
      />
      <div className="grid grid-cols-1 gap-4 narrow:grid-cols-2">
        <Select
          label="Current primary"
          value={search.from ?? null}
          options={optionsOf(search.from, ['primary', 'unread'])}
          onChange={(from) => {
            onChange({ ...search, from });
          }}
        />
        <Select
          label="New primary"
          value={search.to ?? null}
          options={optionsOf(search.to, ['secondary'])}
          onChange={(to) => {
            onChange({ ...search, to });
          }}
        />
      </div>
    </>
  );
}
