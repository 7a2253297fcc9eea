import type { Module, VersionChoice } from '@gatehouse/api-types/console/modules';
import { MenuButton, type MenuEntry } from '@gatehouse/ui/menu';
import { moduleHref } from '#components/places/modules.ts';
import type { ModulePlace } from '#queries/modules.ts';
import { deprecationWords } from '#routes/$environment/modules/deprecation-words.ts';
import type { ModuleSearch } from './module-search.ts';

/** Versions in the menu. The tab lists the others. */
const most = 30;

/** Selects the shown version, and links to the full list. */
export function VersionPicker({
  place,
  module,
  shown,
  search,
}: {
  place: ModulePlace;
  module: Module;
  shown: string;
  search: ModuleSearch;
}) {
  const { compare: _, ...kept } = search;
  const tab = kept.tab === 'upgrade' ? undefined : kept.tab;
  const items: MenuEntry[] = module.versions.slice(0, most).map((choice): MenuEntry => ({
    id: choice.version,
    label: choice.version,
    ...detailOf(choice, module.latest),
    isChosen: choice.version === shown,
    href: moduleHref(place, { ...kept, tab, version: choice.version }),
  }));
  return (
    <MenuButton
      label={`Version ${shown}`}
      size={28}
      placement="bottom end"
      items={[
        ...items,
        'separator',
        {
          id: 'all',
          label: `All ${module.versions.length.toLocaleString('en')} versions`,
          isChosen: false,
          href: moduleHref(place, { ...kept, tab: 'versions' }),
        },
      ]}
    />
  );
}

function detailOf({ version, deprecation }: VersionChoice, latest: string | null): { detail?: string } {
  if (deprecation !== null) return { detail: deprecationWords[deprecation.state].word };
  return version === latest ? { detail: 'Latest' } : {};
}
