import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { architecturesIn, providerNames } from './box-columns.tsx';
import type { BoxesSearch } from './boxes-search.ts';
import { knownArchitectures, knownProviders } from './known-providers.ts';
import { NameFilter } from './NameFilter.tsx';

type Narrowing = Pick<BoxesSearch, 'provider' | 'architecture'>;

/** What narrows the list of boxes: a provider, and an architecture where the registry finds boxes by it. */
export function BoxFilters({
  search: { provider, architecture },
  boxes,
  knowsArchitectures,
  onChange,
}: {
  search: Narrowing;
  boxes: readonly BoxSummary[];
  knowsArchitectures: boolean;
  onChange: (narrowing: Narrowing) => void;
}) {
  return (
    <>
      <div className="w-44 shrink-0 max-narrow:w-24">
        <NameFilter
          label="Provider"
          anyLabel="Any provider"
          known={[...knownProviders, ...boxes.flatMap(providerNames)]}
          value={provider}
          onChange={(chosen) => {
            onChange({ provider: chosen });
          }}
        />
      </div>
      {(knowsArchitectures || architecture !== undefined) && (
        <div className="w-40 shrink-0 max-narrow:w-24">
          <NameFilter
            label="Architecture"
            anyLabel="Any architecture"
            known={[...knownArchitectures, ...boxes.flatMap(architecturesIn)]}
            value={architecture}
            onChange={(chosen) => {
              onChange({ architecture: chosen });
            }}
          />
        </div>
      )}
    </>
  );
}
