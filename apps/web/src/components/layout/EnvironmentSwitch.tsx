import { EnvironmentBadge } from '@gatehouse/ui/environment';
import { Icon } from '@gatehouse/ui/icon';
import { Menu, type MenuEntry } from '@gatehouse/ui/menu';
import { useRouterState } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { useEnvironment, useSession } from '../environment/use-environment.ts';

/**
 * The part of an address after the environment that is valid in all of them: of most records, only the list;
 * but names of owners, boxes, modules and versions mean the same everywhere.
 */
function placeElsewhere(pathname: string): string {
  const named =
    /^\/[^/]+(\/boxes\/owners\/[^/]+(?:\/[^/]+(?:\/versions\/[^/]+)?)?|\/modules\/[^/]+\/[^/]+\/[^/]+)/.exec(
      pathname,
    );
  const screen = pathname.split('/')[2] ?? '';
  return named?.[1] ?? (screen === '' ? '' : `/${screen}`);
}

/** Shows the environment on its color, and links to the same screen of the others. */
export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const { environments } = useSession();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const place = placeElsewhere(pathname);
  const items: MenuEntry[] = environments.map(({ id, name, kind }) => ({
    id,
    label: name,
    ...(name.toLowerCase() !== kind && { detail: kind }),
    isChosen: id === environment.id,
    href: `/${id}${place}`,
  }));
  return (
    <Menu
      label="Environment"
      items={items}
      trigger={
        <AriaButton
          aria-label={`Environment: ${environment.name}. Switch`}
          className="flex h-8 w-full min-w-0 cursor-default items-center gap-2 rounded-control border border-control-line bg-raised ps-1.5 pe-2 data-hovered:bg-hover data-pressed:bg-pressed"
        >
          <span className="flex min-w-0 flex-1">
            <EnvironmentBadge kind={environment.kind} name={environment.name} />
          </span>
          <Icon icon={ChevronsUpDown} size={14} className="text-ink-3" />
        </AriaButton>
      }
    />
  );
}
