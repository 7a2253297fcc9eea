import { EnvironmentBadge, GateRail } from '@gatehouse/ui/environment';
import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import {
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import { RouterProvider } from 'react-aria-components';
import { hasService } from '#lib/has-service.ts';
import { currentInterruption, hostInterruptions } from '#lib/interruptions.ts';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut, useShortcutKeys } from '#lib/shortcuts.ts';
import { useTasks } from '#lib/tasks.ts';
import { showTheme } from '#lib/theme.ts';
import { collectTyped } from '#lib/typed-ahead.ts';
import { useShortcutsSetting, useThemeSetting } from '#queries/settings.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { later } from './load-later.ts';
import { Navigation } from './Navigation.tsx';
import { NetworkWatch } from './NetworkWatch.tsx';
import { screenGroupsOf, serviceOfScreen, type Screen } from './screens.ts';

// Loaded after the page is shown, or on demand if rarely needed.
const Interruptions = later('Interruptions');
const SessionWatch = later('SessionWatch');
const ServiceWatch = later('ServiceWatch');
const ToastRegion = later('ToastRegion');
const TaskTray = later('TaskTray');
const NarrowNavigation = lazy(async () => ({
  default: (await import('./NarrowNavigation.tsx')).NarrowNavigation,
}));
const SecondaryNotice = lazy(async () => ({
  default: (await import('./SecondaryNotice.tsx')).SecondaryNotice,
}));
const NoService = later('NoService');
const Palette = lazy(async () => ({ default: (await import('../palette/Palette.tsx')).Palette }));
const ShortcutsOfPage = lazy(async () => ({
  default: (await import('./ShortcutsOfPage.tsx')).ShortcutsOfPage,
}));

/** Surrounds every screen: gate rail, navigation, dialogs for interrupted requests, notifications. */
export function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const environment = useEnvironment();
  const router = useRouter();
  const [theme] = useThemeSetting();
  const [areShortcutsOn, setShortcutsOn] = useShortcutsSetting();
  const [isNavigationOpen, setNavigationOpen] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const hasTasks = useTasks().length > 0;
  const hasRegistry = hasService(environment, 'boxes') || hasService(environment, 'modules');
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    showTheme(theme);
  }, [theme]);
  // Registered before the dialogs are loaded, so that requests refused until then wait for them.
  const interruption = useSyncExternalStore(hostInterruptions, currentInterruption);
  useShortcutKeys(areShortcutsOn && !isPaletteOpen);
  const showSheet = (): void => {
    setNavigationOpen(false);
    setSheetOpen(true);
  };
  useShortcut({ keys: '?', label: 'Show keyboard shortcuts', group: 'Everywhere', run: showSheet });

  // Keys typed while the palette is loading become its text, and must not act on the page.
  const typed = useRef((): string => '');
  const showPalette = (): void => {
    typed.current();
    typed.current = collectTyped();
    setNavigationOpen(false);
    setPaletteOpen(true);
  };
  useShortcut({ keys: 'Mod+K', label: 'Open the command palette', group: 'Everywhere', run: showPalette });

  return (
    <RouterProvider navigate={(href) => void router.navigate({ href })} useHref={(href) => href}>
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        className="fixed start-4 top-2 z-50 -translate-y-16 rounded-control bg-accent px-3 py-1.5 text-body text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="flex h-dvh min-h-0">
        <GateRail kind={environment.kind} />
        <div className="hidden w-56 shrink-0 border-e border-line wide:flex">
          <Navigation onShowShortcuts={showSheet} onShowPalette={showPalette} />
        </div>
        <div className="flex min-w-0 flex-1 flex-col">
          <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-surface px-2 wide:hidden">
            <IconButton
              icon={MenuIcon}
              label="Open navigation"
              aria-expanded={isNavigationOpen}
              onPress={() => {
                setNavigationOpen(true);
              }}
            />
            <span className="text-heading font-semibold text-ink-1">Gatehouse</span>
            <span className="ms-auto flex min-w-0">
              <EnvironmentBadge kind={environment.kind} name={environment.name} />
            </span>
            <IconButton icon={Search} label="Search or run" onPress={showPalette} />
          </header>
          <NetworkWatch />
          <Suspense fallback={null}>
            <SessionWatch />
          </Suspense>
          <Main
            ref={main}
            onNavigated={() => {
              setNavigationOpen(false);
            }}
          />
          {(hasTasks || hasRegistry) && (
            <Suspense fallback={null}>
              <TaskTray key={environment.id} environment={environment.id} />
            </Suspense>
          )}
        </div>
      </div>
      {screenGroupsOf(environment)
        .flatMap(({ screens }) => screens)
        .map((screen) => (
          <ScreenShortcut key={screen.to} screen={screen} environment={environment.id} />
        ))}
      <Suspense fallback={null}>
        {isNavigationOpen && (
          <NarrowNavigation
            kind={environment.kind}
            onClose={() => {
              setNavigationOpen(false);
            }}
            onShowShortcuts={showSheet}
            onShowPalette={showPalette}
          />
        )}
        {isPaletteOpen && (
          <Palette
            takeTyped={() => typed.current()}
            onClose={() => {
              typed.current();
              setPaletteOpen(false);
            }}
          />
        )}
        {isSheetOpen && (
          <ShortcutsOfPage
            onClose={() => {
              setSheetOpen(false);
            }}
            isEnabled={areShortcutsOn}
            onEnabledChange={setShortcutsOn}
          />
        )}
      </Suspense>
      <Suspense fallback={null}>
        <ServiceWatch />
        <Interruptions interruption={interruption} />
        <ToastRegion />
      </Suspense>
    </RouterProvider>
  );
}

function ScreenShortcut({ screen, environment }: { screen: Screen; environment: string }) {
  const navigate = useNavigate();
  useShortcut({
    keys: screen.keys,
    label: `Go to ${screen.label}`,
    group: 'Places',
    run: () => void navigate({ to: screen.to, params: { environment } }),
  });
  return null;
}

/** The screen. After navigation it receives the focus, so that reading and tabbing begin there. */
function Main({ ref: main, onNavigated }: { ref: RefObject<HTMLElement | null>; onNavigated: () => void }) {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const screen = useRouterState({ select: (state) => state.location.pathname.split('/')[2] ?? '' });
  const environment = useEnvironment();
  const service = serviceOfScreen(screen);
  const shown = useRef(pathname);
  const navigated = useEffectEvent(onNavigated);
  useEffect(() => {
    if (shown.current === pathname) return;
    const isFirst = shown.current === undefined;
    shown.current = pathname;
    if (isFirst) return;
    navigated();
    // A page may have focused its first field already.
    if (main.current && !main.current.contains(document.activeElement)) main.current.focus();
  }, [main, pathname]);
  return (
    <main ref={main} id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
      {service === 'secrets' && (
        <Suspense fallback={null}>
          <SecondaryNotice />
        </Suspense>
      )}
      {service === undefined || hasService(environment, service) ? (
        <Outlet />
      ) : (
        <Suspense fallback={null}>
          <NoService service={service} screen={screen} />
        </Suspense>
      )}
    </main>
  );
}
