import { longestSearch, mostSearchWords, type FoundKind } from '@gatehouse/api-types/console/search';
import { CommandPalette, type PaletteItem } from '@gatehouse/ui/command-palette';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CornerLeftUp, History, Search, Star } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { serviceLabels, wordsOf } from '#lib/error-words.ts';
import { hasService } from '#lib/has-service.ts';
import { pathOf, recentPlaces } from '#lib/recent-places.ts';
import { useShortcuts } from '#lib/shortcuts.ts';
import { useSettled } from '#lib/use-settled.ts';
import { scopesQuery } from '#queries/access.ts';
import { cloudEnginesQuery } from '#queries/cloud.ts';
import { useFavorites } from '#queries/favorites.ts';
import { mayMountQuery, mountsQuery } from '#queries/secrets.ts';
import { useThemeSetting } from '#queries/settings.ts';
import { useEnvironment, useSession } from '../environment/use-environment.ts';
import type { Errand } from '../record/use-errand.ts';
import { commandsOf, environmentCommands, themeCommands, wordsOfLabels } from './commands.ts';
import { questionOf, searchOf, type Findable, type Question } from './palette-search.ts';
import { recordItem } from './records.ts';
import { useFound, type FoundRecords } from './use-found.ts';

const typingMs = 150;
const mostRecent = 6;
/** Most shown commands and places, so that the palette stays readable. */
const mostMatches = 8;
/** Most shown commands and places that have only some of the typed words. */
const mostClosest = 4;
/** Headings of the shortcuts that work on every page. */
const places = 'Places';
const everywhere = 'Everywhere';
const paletteKeys = 'Mod+K';

type Item = PaletteItem & Findable;

const stay = (): void => undefined;

/** Finds actions of the page, commands, screens and visited pages locally, and records by a search on the server. */
export function Palette({
  takeTyped,
  onClose,
}: {
  /** Returns and clears the keys typed while the palette was loading. */
  takeTyped: () => string;
  onClose: () => void;
}) {
  const environment = useEnvironment();
  const { environments } = useSession();
  const router = useRouter();
  const shortcuts = useShortcuts();
  const [theme, setTheme] = useThemeSetting();
  const [favorites] = useFavorites();
  const [text, setText] = useState('');
  /** The text that is searched for literally, without reading its words as verbs and kinds. */
  const [everything, setEverything] = useState<string>();
  const begin = useEffectEvent(() => {
    const typed = takeTyped();
    setText((now) => typed + now);
  });
  useEffect(() => {
    begin();
  }, []);
  const needle = useSettled(text.trim(), typingMs);
  const read = (words: string): Question =>
    everything === words
      ? { verb: undefined, kinds: [], text: words }
      : questionOf(
          words,
          environments.flatMap(({ id, name }) => [id, name]),
        );
  const question = read(needle);
  const records = useFound(environment.id, searchTextOf(question.text), searchTextOf(read(text.trim()).text));
  const hasSecrets = hasService(environment, 'secrets');
  const { data: engines } = useQuery({ ...mountsQuery(environment.id), enabled: hasSecrets, retry: false });
  const { data: mayMount } = useQuery({
    ...mayMountQuery(environment.id),
    enabled: hasSecrets,
    retry: false,
  });
  const { data: cloud } = useQuery({
    ...cloudEnginesQuery(environment.id),
    enabled: hasSecrets,
    retry: false,
  });
  const { data: scopes } = useQuery({
    ...scopesQuery(environment.id),
    enabled: hasService(environment, 'access'),
    retry: false,
  });
  const here = router.state.location.pathname;
  const go = useCallback(
    (href: string, errand?: Errand) => (): void => {
      if (href.startsWith('/api/')) window.open(href, '_blank', 'noopener');
      else void router.navigate({ href, state: { errand } });
    },
    [router],
  );

  // Not again for each typed character: there are hundreds, and their index takes longest.
  const { local, screens, search } = useMemo(() => {
    const registered = (group: (name: string) => boolean): Item[] =>
      shortcuts
        .filter(({ group: name, keys }) => group(name) && keys !== paletteKeys)
        .map(({ keys, label, run, disabledReason }) => ({
          id: `action ${keys} ${label}`,
          label,
          ...(keys !== undefined && { shortcut: keys }),
          words: wordsOfLabels[label] ?? '',
          ...(disabledReason !== undefined && { refusal: disabledReason }),
          onAction: run,
        }));
    const ofPage = registered((name) => name !== places && name !== everywhere);
    const labelsOfPage = new Set(ofPage.map(({ label }) => label));
    const mounts = {
      secrets: (engines ?? []).filter(({ version }) => version === 2).map(({ path }) => path),
      cloud: (cloud?.items ?? []).map(({ mount }) => mount),
      mayMount,
    };
    const commands = commandsOf(environment, mounts, scopes)
      .filter(({ label }) => !labelsOfPage.has(label))
      .map(({ href, errand, isScreen = false, ...command }) => {
        const isHere = href === here && errand === undefined;
        return {
          ...command,
          ...(isHere && { detail: 'This page' }),
          isHere,
          isScreen,
          // The page keeps its filters.
          onAction: isHere ? stay : go(href, errand),
        };
      });
    const labels = new Set(commands.map(({ label }) => label));
    const visited = recentPlaces();
    const starred = new Set(favorites.map(({ href }) => href));
    const titles = new Map([
      ...visited.toReversed().map(({ href, title }) => [pathOf(href), title] as const),
      ...commands
        .filter(({ isScreen }) => isScreen)
        .map(({ id, label }) => [id.replace('screen ', ''), label] as const),
    ]);
    const sections: readonly { readonly title: string; readonly items: readonly Item[] }[] = [
      { title: 'On this page', items: ofPage },
      {
        title: 'Up',
        items: ancestorsOf(here).flatMap((path) => {
          const label = titles.get(path);
          return label === undefined
            ? []
            : [{ id: `up ${path}`, label, icon: CornerLeftUp, detail: path, onAction: go(path) }];
        }),
      },
      {
        title: 'Favorites',
        items: favorites
          .filter(({ href }) => href !== here)
          .map(({ href, title, isGone }) => ({
            id: `favorite ${href}`,
            label: title,
            icon: Star,
            detail: isGone === true ? 'Not found when last opened' : href,
            onAction: go(href),
          })),
      },
      {
        title: 'Recent',
        items: visited
          .filter(({ href }) => {
            const path = pathOf(href);
            return path !== here && !starred.has(path) && !labels.has(titles.get(path) ?? '');
          })
          .slice(0, mostRecent)
          .map(({ href, title }) => ({
            id: `recent ${href}`,
            label: title,
            icon: History,
            detail: pathOf(href),
            onAction: go(href),
          })),
      },
      { title: places, items: commands },
      {
        title: everywhere,
        items: [
          ...registered((name) => name === everywhere),
          ...environmentCommands(environments)
            .filter(({ href }) => href !== `/${environment.id}`)
            .map(({ href, ...command }) => ({ ...command, onAction: go(href) })),
          ...themeCommands
            .filter((command) => command.theme !== theme)
            .map(({ theme: chosen, ...command }) => ({
              ...command,
              onAction: () => {
                setTheme(chosen);
              },
            })),
        ],
      },
    ];
    return {
      local: sections,
      screens: commands.filter(({ isScreen, isHere }) => isScreen && !isHere),
      search: searchOf(sections.flatMap(({ items }) => items)),
    };
  }, [
    cloud,
    engines,
    environment,
    environments,
    favorites,
    go,
    here,
    mayMount,
    scopes,
    setTheme,
    shortcuts,
    theme,
  ]);
  const matches = search.withAll(text).slice(0, mostMatches);
  // A favorite or recent record isn't listed again among the records.
  const visited = new Set(matches.map(({ id }) => pathOf(id.replace(/^(?:favorite|recent) /, ''))));

  const shown = records.found.map((found) => ({
    ...recordItem(environment.id, found, question.verb, go),
    isWanted: question.kinds.length === 0 || question.kinds.includes(found.what),
  }));
  const isWanted = (one: (typeof shown)[number]): boolean =>
    one.isWanted && one.hasVerb && !visited.has(one.opens ?? '');
  const wanted = shown.filter(isWanted);
  const listed =
    wanted.length > 0 || !records.isDone ? wanted : shown.filter(({ opens }) => !visited.has(opens ?? ''));
  // In the order of arrival, so that the selected item doesn't move.
  const groups = [...Map.groupBy(listed, ({ title }) => title)].map(([title, items]) => ({
    title,
    items: items.map(({ item }) => item),
  }));
  const isPending = text.trim() !== '' && (needle !== text.trim() || !records.isDone);
  const isNarrowed = question.text !== needle && needle !== '';
  const nothing = !isPending && matches.length === 0 && listed.length === 0;
  const closest = nothing ? search.withMost(text).slice(0, mostClosest) : [];
  return (
    <CommandPalette
      onClose={onClose}
      text={text}
      onTextChange={setText}
      groups={
        text.trim() === ''
          ? local
              .map(({ title, items }) => ({
                title,
                items: title === places ? screens : items,
              }))
              .filter(({ items }) => items.length > 0)
          : [
              ...(matches.length === 0 ? [] : [{ title: 'Actions and places', items: matches }]),
              ...groups,
              ...(closest.length === 0 ? [] : [{ title: 'Closest matches', items: closest }]),
              ...(nothing && isNarrowed
                ? [
                    {
                      title: 'Nothing matches',
                      items: [
                        {
                          id: 'everything',
                          label: `Search everything for “${needle}”`,
                          icon: Search,
                          keepsOpen: true,
                          onAction: () => {
                            setEverything(needle);
                          },
                        },
                      ],
                    },
                  ]
                : []),
            ]
      }
      isPending={isPending}
      note={noteOf(records)}
      placeholder="Search actions, places and records"
      emptyText="No results. Try fewer or other words."
    />
  );
}

const kindsInWords: Readonly<Record<FoundKind, string>> = {
  target: 'targets',
  person: 'people',
  'host-catalog': 'host catalogs',
  'host-set': 'host sets',
  host: 'hosts',
  'credential-store': 'credential stores',
  'credential-library': 'credential libraries',
  credential: 'credentials',
  secret: 'secrets',
  plugin: 'plugins',
  'cloud-role': 'cloud roles',
  box: 'boxes',
  organization: 'organizations',
  module: 'modules',
};

/** Says which kinds the search left out; undefined while it runs, and after a complete search. */
function noteOf({ isDone, unsearched, error }: FoundRecords): string | undefined {
  if (!isDone) return undefined;
  if (error !== undefined) return `Records couldn't be searched. ${wordsOf(error).detail}`;
  const not = unsearched.filter(({ code }) => !['forbidden', 'no-access', 'not-found'].includes(code));
  const services = new Set(not.filter(({ code }) => code === 'not-connected').map(({ service }) => service));
  const partly = not.filter(({ code }) => code === 'too-many').flatMap(({ what }) => what);
  const failed = not
    .filter(({ code }) => !['not-connected', 'too-many'].includes(code))
    .flatMap(({ what }) => what);
  const sentences = [
    ...(services.size === 0
      ? []
      : [
          `Not searched, because you aren't signed in there: ${[...services].map((one) => serviceLabels[one]).join(', ')}.`,
        ]),
    ...(partly.length === 0
      ? []
      : [`Searched in part: ${partly.map((one) => kindsInWords[one]).join(', ')}.`]),
    ...(failed.length === 0
      ? []
      : [`Couldn't be searched: ${failed.map((one) => kindsInWords[one]).join(', ')}.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** The paths above a path, the nearest first, up to its screen. */
function ancestorsOf(path: string): readonly string[] {
  const parts = path.split('/').filter(Boolean);
  return parts
    .slice(1, -1)
    .map((_, index) => `/${parts.slice(0, index + 2).join('/')}`)
    .toReversed();
}

/** The part of a text that the server accepts. */
function searchTextOf(text: string): string {
  return text.split(' ').slice(0, mostSearchWords).join(' ').slice(0, longestSearch);
}
