import type { ServiceName } from '@gatehouse/api-types/console/service';
import { StatusDot } from '@gatehouse/ui/badge';
import { EnvironmentBadge } from '@gatehouse/ui/environment';
import { GateIcon, Icon } from '@gatehouse/ui/icon';
import { Kbd } from '@gatehouse/ui/kbd';
import { Tooltip } from '@gatehouse/ui/tooltip';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Suspense } from 'react';
import { Focusable } from 'react-aria-components';
import { serviceLabels } from '#lib/error-words.ts';
import { useConnection } from '#queries/session.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { connectionWords } from './connection-words.ts';
import { later } from './load-later.ts';
import { screenGroupsOf, type Screen } from './screens.ts';

// Menus are loaded after the page is shown; their labels are there at once.
const EnvironmentSwitch = later('EnvironmentSwitch');
const UserMenu = later('UserMenu');

/** The environment, the screens, and the state of the services. */
export function Navigation({
  onShowShortcuts,
  onShowPalette,
}: {
  onShowShortcuts: () => void;
  onShowPalette: () => void;
}) {
  const environment = useEnvironment();
  return (
    <header className="flex h-full w-full flex-col bg-surface">
      <div className="flex flex-col gap-3 px-3 pt-3 pb-2">
        <Link
          to="/$environment"
          params={{ environment: environment.id }}
          className="flex h-7 w-fit items-center gap-2 rounded-control px-1 text-heading font-semibold text-ink-1"
        >
          <span className="text-accent">
            <Icon icon={GateIcon} size={20} />
          </span>
          Gatehouse
        </Link>
        <Suspense fallback={<PlainEnvironment />}>
          <EnvironmentSwitch />
        </Suspense>
        <button
          type="button"
          onClick={onShowPalette}
          className="flex h-7 w-full cursor-default items-center gap-2 rounded-control border border-line bg-sunken px-2 text-start text-body text-ink-2 hover:bg-hover hover:text-ink-1"
        >
          <Icon icon={Search} size={14} />
          <span className="min-w-0 flex-1 truncate">Search or run</span>
          <Kbd keys="Mod+K" />
        </button>
      </div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto px-3 py-2">
        {screenGroupsOf(environment).map((group, index) => (
          <div key={group.service ?? index} className="pb-3">
            {group.service !== undefined && (
              <div className="flex h-7 items-center justify-between gap-2 px-1 text-ink-2">
                <h2 className="truncate font-mono text-caps font-normal uppercase">
                  {serviceLabels[group.service]}
                </h2>
                <ServiceState environment={environment.id} service={group.service} />
              </div>
            )}
            <ul>
              {group.screens.map((screen) => (
                <li key={screen.to}>
                  <ScreenLink screen={screen} environment={environment.id} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="flex items-center border-t border-line px-2 py-1">
        <Suspense fallback={<div className="h-10" />}>
          <UserMenu onShowShortcuts={onShowShortcuts} environment={environment.id} />
        </Suspense>
      </div>
    </header>
  );
}

/** The environment's name on its color, until the switch is loaded. */
function PlainEnvironment() {
  const environment = useEnvironment();
  return (
    <div className="flex h-8 items-center rounded-control border border-control-line bg-raised px-1.5">
      <EnvironmentBadge kind={environment.kind} name={environment.name} />
    </div>
  );
}

function ScreenLink({ screen, environment }: { screen: Screen; environment: string }) {
  return (
    <Tooltip text={`Go to ${screen.label}`} shortcut={screen.keys} placement="right">
      <Focusable>
        <Link
          to={screen.to}
          params={{ environment }}
          activeOptions={{ exact: screen.to === '/$environment', includeSearch: false }}
          className="relative flex h-8 items-center gap-2 rounded-control px-2 text-body text-ink-2 hover:bg-hover hover:text-ink-1 [&.active]:bg-selected [&.active]:font-medium [&.active]:text-ink-1 [&.active]:before:absolute [&.active]:before:inset-y-0 [&.active]:before:start-0 [&.active]:before:w-0.5 [&.active]:before:bg-accent"
        >
          <Icon icon={screen.icon} />
          {screen.label}
        </Link>
      </Focusable>
    </Tooltip>
  );
}

function ServiceState({ environment, service }: { environment: string; service: ServiceName }) {
  const connection = useConnection(environment, service);
  if (!connection) return null;
  const { state, detail, address } = connection;
  const { word, tone } = connectionWords[state];
  return (
    <Tooltip text={detail ?? `${word} at ${address}`} placement="right">
      <Focusable>
        <Link
          to="/$environment/connections"
          params={{ environment }}
          aria-label={`${serviceLabels[service]}: ${word}`}
          className="flex h-6 min-w-6 items-center justify-center rounded-control hover:bg-hover"
        >
          <StatusDot tone={tone}>
            <span className={state === 'no-access' ? 'whitespace-nowrap' : 'sr-only'}>{word}</span>
          </StatusDot>
        </Link>
      </Focusable>
    </Tooltip>
  );
}
