/** What every page loads after it is shown, in one file. */
export { ToastRegion } from '@gatehouse/ui/toast';
export { TaskTray } from '../tasks/TaskTray.tsx';
export { EnvironmentSwitch } from './EnvironmentSwitch.tsx';
export { Interruptions } from './Interruptions.tsx';
export { ServiceWatch } from './ServiceWatch.tsx';
export { SessionWatch } from './SessionWatch.tsx';
export { UserMenu } from './UserMenu.tsx';
export { NoService } from '../errors/NoService.tsx';
export { PageError } from '../errors/PageError.tsx';
