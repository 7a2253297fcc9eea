/** A page that a person may open first, and what a browser has to load for it. */
export interface Screen {
  /** As the router writes it: `/$environment/targets/$id`; of no page's own the name of its file. */
  readonly path: string;
  /**
   * The shell is what all pages but the sign-in page have around them, `later` what they all fetch once they stand; a record
   * is reached from a list.
   */
  readonly kind: 'sign-in' | 'shell' | 'later' | 'list' | 'record';
  /** The modules that it begins with, relative to the page's folder. */
  readonly roots: readonly string[];
}

/** What these files are named is known here alone; a build without one of them fails. */
const main = 'index.html';
const signIn = 'src/sign-in/sign-in.tsx';
const console = 'src/console.tsx';
const later = 'src/components/layout/later.ts';
const routes = 'src/routes';
const shell = '/$environment/route';

/** Parts of a route that are fetched only when something goes wrong. */
const exceptional = /tsr-split=(?:errorComponent|notFoundComponent)$/;

/**
 * Every page, the shell first and the sign-in page last.
 * @param entries modules that are loaded by themselves, relative to the page's folder: the entry and what is imported
 * dynamically, the router's parts of routes among them (`src/routes/…/index.tsx?tsr-split=component---loader`)
 * @throws Error when a file that the pages begin with is not among them
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
    const path = route === shell ? route : route.replace(/\/(?:index|route)$/, '') || '/';
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

/** @returns undefined where no person waits for it */
function kindOf(route: string): Screen['kind'] | undefined {
  if (route === shell) return 'shell';
  if (route === '/__root' || /^\/(?:gallery\/)?index$/.test(route)) return undefined;
  // A path of any depth is a page of its own, in a file that is named as layouts are.
  if (route.endsWith('/$/route')) return route.endsWith('/folder/$/route') ? 'list' : 'record';
  // Layouts inside the shell are what the lists in them have in common.
  if (route.endsWith('/route')) return 'list';
  return /\/(?:\$(?!environment\/)\w+|new(?:-\w+)?|authorize|(?:boxes|modules)\/publish|boxes\/settings|replication\/\w+)\//.test(
    route,
  )
    ? 'record'
    : 'list';
}

/** A route and the layouts around it, from the outside. */
function layoutsOf(route: string): readonly string[] {
  const folders = route.split('/').slice(0, -1);
  const layouts = folders.map((_, index) => `${folders.slice(0, index + 1).join('/')}/route`);
  return [...new Set(['/__root', ...layouts, route])];
}
