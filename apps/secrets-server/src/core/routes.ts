import type { Backend, Match, Params, Route } from './backend.ts';

interface Pattern {
  readonly route: Route;
  /** Literal segments; undefined for a parameter. */
  readonly segments: readonly (string | undefined)[];
  readonly names: readonly string[];
  /** The name of the rest parameter, if any. */
  readonly rest: string | undefined;
  /** The text after the rest, such as `/tune`; empty if there is none. */
  readonly suffix: string;
}

/**
 * Creates a backend from routes. Of several matching routes, the one with the longest literal prefix handles a path.
 */
export function backendOf(routes: readonly Route[]): Backend {
  const byFirst = new Map<string, Pattern[]>();
  for (const route of routes) {
    const pattern = compile(route);
    const first = pattern.segments[0];
    if (first === undefined) throw new Error(`a route begins with a literal segment: ${route.path}`);
    const same = byFirst.get(first) ?? [];
    same.push(pattern);
    same.sort((one, other) => literals(other) - literals(one));
    byFirst.set(first, same);
  }
  return {
    match(path) {
      const cut = path.indexOf('/');
      const candidates = byFirst.get(cut === -1 ? path : path.slice(0, cut));
      if (candidates === undefined) return undefined;
      for (const pattern of candidates) {
        const match = fit(pattern, path);
        if (match !== undefined) return match;
      }
      return undefined;
    },
  };
}

function compile(route: Route): Pattern {
  const parts = route.path.split('/');
  const restAt = parts.findIndex((part) => part.startsWith('*'));
  const [rest, ...after] = restAt === -1 ? [] : parts.splice(restAt);
  return {
    route,
    rest: rest?.slice(1),
    suffix: after.map((part) => `/${part}`).join(''),
    segments: parts.map((part) => (part.startsWith(':') ? undefined : part)),
    names: parts.map((part) => (part.startsWith(':') ? part.slice(1) : '')),
  };
}

function literals(pattern: Pattern): number {
  const first = pattern.segments.indexOf(undefined);
  // Of equally long prefixes, a pattern without a rest comes first, then one whose rest has a suffix.
  const narrow = pattern.rest === undefined ? 2 : pattern.suffix === '' ? 0 : 1;
  return (first === -1 ? pattern.segments.length : first) * 3 + narrow;
}

function fit(pattern: Pattern, path: string): Match | undefined {
  const params: Record<string, string> = {};
  let at = 0;
  for (const [index, literal] of pattern.segments.entries()) {
    if (at > path.length) return undefined;
    const slash = path.indexOf('/', at);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(at, end);
    if (literal === undefined) {
      if (segment === '') return undefined;
      params[pattern.names[index] ?? ''] = segment;
    } else if (segment !== literal) return undefined;
    at = end + 1;
  }
  if (pattern.rest === undefined) {
    if (at <= path.length) return undefined;
  } else {
    const end = path.length - pattern.suffix.length;
    if (pattern.suffix !== '' && (end <= at || !path.endsWith(pattern.suffix))) return undefined;
    params[pattern.rest] = path.slice(at, end);
  }
  const found: Params = params;
  return { route: pattern.route, params: found };
}
