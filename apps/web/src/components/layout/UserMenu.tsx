import { Avatar } from '@gatehouse/ui/avatar';
import { lazy } from '@gatehouse/ui/lazy';
import { Menu } from '@gatehouse/ui/menu';
import { toasts } from '@gatehouse/ui/toast';
import { useRouter } from '@tanstack/react-router';
import { Clock, Keyboard, KeyRound, LogOut, MonitorSmartphone, Moon, Sun, SunMoon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { startAnew } from '#lib/session.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import type { Theme } from '#lib/theme.ts';
import { useSignOut } from '#queries/session.ts';
import { useThemeSetting, useZoneSetting } from '#queries/settings.ts';
import { useSession } from '../environment/use-environment.ts';
import { useHeldUntil } from '../guards/use-held-until.ts';
import type { UnderWay } from '../publish/count-under-way.ts';

const ChangeOwnPassword = lazy(async () => ({
  default: (await import('../credentials/ChangeOwnPassword.tsx')).ChangeOwnPassword,
}));

const SignOutQuestion = lazy(async () => ({
  default: (await import('../publish/SignOutQuestion.tsx')).SignOutQuestion,
}));

const themeItems = [
  { theme: 'system', label: 'System', icon: SunMoon },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const satisfies readonly { theme: Theme; label: string; icon: unknown }[];

/** The signed-in user, with their theme, time zone, sessions and Sign out. */
export function UserMenu({
  onShowShortcuts,
  environment,
}: {
  onShowShortcuts: () => void;
  environment: string;
}) {
  const { person, method, environments } = useSession();
  const [underWay, setUnderWay] = useState<UnderWay>();
  const [isChanging, setChanging] = useState(false);
  const router = useRouter();
  const [theme, setTheme] = useThemeSetting();
  const [zone, setZone] = useZoneSetting();
  const signOut = useSignOut();
  const heldUntil = useHeldUntil(environment);
  const everywhere = { group: 'Everywhere' };
  useShortcut({ ...everywhere, label: 'Sign out', run: () => void askToLeave() });
  const cannotChange =
    method === 'password' ? undefined : 'You signed in with a token instead of a password.';
  useShortcut({
    ...everywhere,
    label: 'Change password',
    disabledReason: cannotChange,
    run: () => setChanging(true),
  });
  useShortcut({
    ...everywhere,
    label: zone === 'utc' ? "Time zone: this computer's" : 'Time zone: UTC',
    run: () => setZone(zone === 'utc' ? 'local' : 'utc'),
  });

  async function askToLeave(): Promise<void> {
    // A failed count doesn't prevent signing out.
    const found = await import('../publish/count-under-way.ts')
      .then(({ countUnderWay }) => countUnderWay(environments))
      .catch(() => undefined);
    if (found !== undefined && found.all > 0) setUnderWay(found);
    else await leave();
  }

  async function leave(choice = { stopsDeliveries: false }): Promise<void> {
    // Unsaved edits are confirmed before the session ends, not after.
    const before = router.state.location.href;
    await router.navigate({ to: '/$environment', params: { environment } });
    if (router.state.location.pathname !== `/${environment}`) return;
    try {
      await signOut.mutateAsync(choice);
    } catch (error) {
      if (!isApiError(error, 'unauthenticated')) {
        const { title, detail, requestId } = wordsOf(error);
        toasts.danger({
          title: `Not signed out: ${title.toLowerCase()}`,
          detail,
          ...(requestId !== undefined && { requestId }),
        });
        await router.navigate({ href: before });
        return;
      }
    }
    void startAnew('/sign-in');
  }

  return (
    <>
      <Menu
        label="Account"
        placement="top start"
        trigger={
          <AriaButton className="flex h-10 min-w-0 flex-1 cursor-default items-center gap-2 rounded-control px-1.5 text-start data-hovered:bg-hover data-pressed:bg-pressed">
            <Avatar name={person.name === '' ? person.login_name : person.name} />
            <span className="min-w-0 truncate text-body text-ink-1">
              {person.name === '' ? person.login_name : person.name}
              <span className="sr-only">, settings and sign out</span>
              {heldUntil !== undefined && (
                <span className="block truncate text-meta text-ink-2">Confirmed until {heldUntil}</span>
              )}
            </span>
          </AriaButton>
        }
        items={[
          {
            label: `Signed in as ${person.login_name}`,
            items: [
              {
                id: 'sessions',
                label: 'Sessions',
                detail: 'Where you are signed in',
                icon: MonitorSmartphone,
                href: `/${environment}/connections#sessions`,
              },
              {
                id: 'password',
                label: 'Change password',
                icon: KeyRound,
                disabledReason: cannotChange,
                onAction: () => {
                  setChanging(true);
                },
              },
              {
                id: 'shortcuts',
                label: 'Keyboard shortcuts',
                icon: Keyboard,
                shortcut: '?',
                onAction: onShowShortcuts,
              },
            ],
          },
          'separator',
          {
            id: 'theme',
            label: 'Theme',
            icon: SunMoon,
            submenu: themeItems.map((item) => ({
              id: item.theme,
              label: item.label,
              icon: item.icon,
              isChosen: item.theme === theme,
              onAction: () => {
                setTheme(item.theme);
              },
            })),
          },
          {
            id: 'zone',
            label: 'Time zone',
            icon: Clock,
            submenu: [
              {
                id: 'local',
                label: "This computer's time zone",
                isChosen: zone === 'local',
                onAction: () => {
                  setZone('local');
                },
              },
              {
                id: 'utc',
                label: 'UTC',
                isChosen: zone === 'utc',
                onAction: () => {
                  setZone('utc');
                },
              },
            ],
          },
          'separator',
          { id: 'sign-out', label: 'Sign out', icon: LogOut, onAction: () => void askToLeave() },
        ]}
      />
      {underWay !== undefined && (
        <Suspense fallback={null}>
          <SignOutQuestion
            underWay={underWay}
            onClose={() => {
              setUnderWay(undefined);
            }}
            onSignOut={(choice) => {
              setUnderWay(undefined);
              void leave(choice);
            }}
          />
        </Suspense>
      )}
      {isChanging && (
        <Suspense fallback={null}>
          <ChangeOwnPassword
            environment={environment}
            onClose={() => {
              setChanging(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
