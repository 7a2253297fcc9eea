import type { Target } from '@gatehouse/api-types/console/targets';
import { TargetIcon } from '@gatehouse/ui/icon';
import { targets } from '#queries/access.ts';

/** How to show targets. */
export const shownTargets = {
  calls: targets,
  noun: 'target',
  icon: TargetIcon,
  nameOf: ({ name }: Target): string => name,
};
