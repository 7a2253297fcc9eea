import type { ServiceName } from '@gatehouse/api-types/console/service';
import { GateIcon, TargetIcon, type IconType } from '@gatehouse/ui/icon';
import { Cable } from 'lucide-react';

/** One entry of the navigation. A screen that is added here is in the navigation, the shortcuts and their sheet. */
export interface Screen {
  readonly to: '/$environment' | '/$environment/targets' | '/$environment/connections';
  readonly label: string;
  readonly icon: IconType;
  /** Keys that lead there. */
  readonly keys: string;
}

export interface ScreenGroup {
  /** The service that the screens are of; none for those of the console. */
  readonly service?: ServiceName;
  readonly screens: readonly Screen[];
}

export const screenGroups: readonly ScreenGroup[] = [
  { screens: [{ to: '/$environment', label: 'Overview', icon: GateIcon, keys: 'g o' }] },
  {
    service: 'access',
    screens: [{ to: '/$environment/targets', label: 'Targets', icon: TargetIcon, keys: 'g t' }],
  },
  { screens: [{ to: '/$environment/connections', label: 'Connections', icon: Cable, keys: 'g c' }] },
];
