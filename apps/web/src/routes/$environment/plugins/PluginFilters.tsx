import { pluginTypes } from '@gatehouse/api-types/console/plugin-values';
import { Tag } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Popover } from '@gatehouse/ui/popover';
import { Select } from '@gatehouse/ui/select';
import { ListFilter } from 'lucide-react';
import type { ChangeSearch } from '#components/list/use-search-state.ts';
import type { PluginSource } from './-catalog/catalog.ts';
import { sourceWords, typeWords } from './-catalog/plugin-words.ts';
import type { PluginsSearch } from './plugins-search.ts';

const any = 'any';
const sources: readonly PluginSource[] = ['builtin', 'registered', 'configuration', 'image'];

/** What narrows the list beside the words: a panel to choose in, and what was chosen. */
export function PluginFilters({
  search: { type, source },
  onChange,
}: {
  search: PluginsSearch;
  onChange: ChangeSearch<PluginsSearch>;
}) {
  const chosen = [
    type !== undefined && { id: 'type', words: typeWords[type] },
    source !== undefined && { id: 'source', words: sourceWords[source] },
  ].filter((item) => item !== false);
  return (
    <>
      <Popover
        label="Filters"
        trigger={
          <Button size={28} icon={ListFilter}>
            {chosen.length === 0 ? 'Filters' : `Filters (${chosen.length})`}
          </Button>
        }
      >
        <div className="flex w-64 max-w-full flex-col gap-4">
          <Select
            label="Type"
            options={[{ id: any, label: 'Any' }, ...pluginTypes.map((id) => ({ id, label: typeWords[id] }))]}
            value={type ?? any}
            onChange={(next) => {
              onChange({ type: pluginTypes.find((known) => known === next) });
            }}
          />
          <Select
            label="Source"
            options={[{ id: any, label: 'Any' }, ...sources.map((id) => ({ id, label: sourceWords[id] }))]}
            value={source ?? any}
            onChange={(next) => {
              onChange({ source: sources.find((known) => known === next) });
            }}
          />
        </div>
      </Popover>
      <span className="flex min-w-0 items-center gap-1 overflow-hidden max-narrow:hidden">
        {chosen.map(({ id, words }) => (
          <Tag
            key={id}
            removeLabel={`Remove filter ${id}`}
            onRemove={() => {
              onChange({ [id]: undefined });
            }}
          >
            {words}
          </Tag>
        ))}
      </span>
    </>
  );
}
