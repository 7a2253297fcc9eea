/** A page that a visit may begin with, and what the browser has to load for it. */
export interface Screen {
  /** The route, such as `/$environment/targets/$id`; for what isn't a page, its file name. */
  readonly path: string;
  /**
   * `shell` surrounds all pages except the sign-in page; `later` is what they all fetch once shown; a
   * `record` is opened from a list.
   */
  readonly kind: 'sign-in' | 'shell' | 'later' | 'list' | 'record';
  /** Its entry modules, relative to the page's folder. */
  readonly roots: readonly string[];
}

/** Only this file names these modules. A build without one of them fails. */
const main = 'index.html';
const signIn = 'src/sign-in/sign-in.tsx';
const console = 'src/console.tsx';
const later = 'src/components/layout/later.ts';
const routes = 'src/routes';
const shell = '/$environment/route';

/** Parts of a route that are fetched only after an error. */
const exceptional = /tsr-split=(?:errorComponent|notFoundComponent)$/;

/**
 * All pages: the shell first, the sign-in page last.
 * @param entries the entry and all dynamically imported modules, relative to the page's folder, including the
 *   router's parts of routes (`src/routes/…/TargetsPage.tsx?tsr-split=component---loader`)
 * @throws Error if one of the fixed entry modules is missing
 */
export function screensOf(entries: readonly string[]): readonly Screen[] {
  const parts = new Map<string, string[]>();
  for (const entry of entries) {
    const [, route] = /^src\/routes(\/.+)\.tsx\?tsr-split=/.exec(entry) ?? [];
    if (route === undefined || exceptional.test(entry)) continue;
    parts.set(route, [...(parts.get(route) ?? []), entry]);
  }
  const begins = [main, console];
  for (const file of [...begins, later, signIn]) {
    if (!entries.includes(file))
      throw new Error(`The page does not load ${file}: apps/web/chunks/screens.ts names it.`);
  }
  if (!parts.has(shell))
    throw new Error(`The page has no ${routes}${shell}.tsx: apps/web/chunks/screens.ts names it.`);
  const screens = [...parts.keys()].toSorted().flatMap((route): Screen[] => {
    const kind = kindOf(route);
    const around = layoutsOf(route).flatMap((layout) => parts.get(layout) ?? []);
    const path = route === shell ? route : route.replace(/\/(?:index|route|[A-Z]\w*Page)$/, '') || '/';
    return kind === undefined ? [] : [{ path, kind, roots: [...begins, ...around] }];
  });
  const inside = screens.filter(({ kind }) => kind !== 'shell');
  const outside = screens.filter(({ kind }) => kind === 'shell');
  return [
    ...outside,
    ...outside.map(({ roots }): Screen => ({ path: later, kind: 'later', roots: [...roots, later] })),
    ...inside,
    { path: '/sign-in', kind: 'sign-in', roots: [main, signIn] },
  ];
}

/** @returns undefined for routes that users never wait for */
function kindOf(route: string): Screen['kind'] | undefined {
  if (route === shell) return 'shell';
  if (route === '/__root' || /^\/(?:gallery\/)?index$/.test(route)) return undefined;
  if (/\/\$\/\w+$/.test(route)) return route.endsWith('/folder/$/FolderPage') ? 'list' : 'record';
  // Other layouts inside the shell are shared by the lists below them.
  if (route.endsWith('/route')) return 'list';
  return /\/(?:\$(?!environment\/)\w+|new(?:-\w+)?|authorize|(?:boxes|modules)\/publish|boxes\/settings|replication\/\w+)\//.test(
    route,
  )
    ? 'record'
    : 'list';
}

/** The layouts around a route, outermost first, then the route itself. */
function layoutsOf(route: string): readonly string[] {
  const folders = route.split('/').slice(0, -1);
  const layouts = folders.map((_, index) => `${folders.slice(0, index + 1).join('/')}/route`);
  return [...new Set(['/__root', ...layouts, route])];
}
