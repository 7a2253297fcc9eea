import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { MenuButton, type MenuEntry } from '@gatehouse/ui/menu';
import { useQuery } from '@tanstack/react-query';
import { Building2, KeyRound, PackageOpen, PackagePlus, SlidersHorizontal, UserRound } from 'lucide-react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import {
  accountHref,
  newBoxHref,
  organizationsHref,
  ownerHref,
  settingsHref,
} from '#components/places/boxes.ts';
import { movesHref, newMoveHref } from '#components/places/moves.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { reasonAgainstAnyPublishing } from './may.ts';

/** Links to the owners whose boxes you may see, including unreleased ones. */
export function ownerLinks(environment: string, account: BoxAccount | undefined) {
  return (account?.namespaces ?? []).map(({ username, kind }) => ({
    id: `owner ${username}`,
    label: username,
    icon: kind === 'person' ? UserRound : Building2,
    href: ownerHref(environment, username),
  }));
}

/** Links to your boxes, including unreleased ones, to your account, and to the registry's management. */
export function BoxesMenu() {
  const environment = useEnvironment();
  const { data: account } = useQuery(boxAccountQuery(environment.id));
  const owners = ownerLinks(environment.id, account);
  const items: MenuEntry[] = [
    ...(owners.length === 0 ? [] : [{ label: 'Your boxes', items: owners }, 'separator' as const]),
    {
      id: 'bring',
      label: 'Import boxes…',
      icon: PackageOpen,
      disabledReason: account && reasonAgainstAnyPublishing(account),
      href: newMoveHref(environment.id, 'boxes'),
    },
    {
      id: 'moves',
      label: 'Moves from other registries',
      icon: PackageOpen,
      href: movesHref(environment.id, 'boxes'),
    },
    {
      id: 'new',
      label: 'New box without a version',
      icon: PackagePlus,
      disabledReason: account && reasonAgainstAnyPublishing(account),
      href: newBoxHref(environment.id),
    },
    'separator',
    {
      id: 'account',
      label: 'Tokens and second factor',
      icon: KeyRound,
      href: accountHref(environment.id),
    },
    // Other registries manage them elsewhere.
    ...(account === undefined || account.organizations === null
      ? []
      : [
          {
            id: 'organizations',
            label: 'Organizations',
            icon: Building2,
            href: organizationsHref(environment.id),
          },
          {
            id: 'settings',
            label: 'Registry settings',
            icon: SlidersHorizontal,
            href: settingsHref(environment.id),
          },
        ]),
  ];
  return <MenuButton label="Registry" size={28} placement="bottom end" items={items} />;
}
