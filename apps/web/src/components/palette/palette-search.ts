/** Matches the palette's items with typed words: in any order, by prefix, with a typo forgiven. */
import type { FoundKind } from '@gatehouse/api-types/console/search';
import MiniSearch, { type Query } from 'minisearch';

/** An item that words find. */
export interface Findable {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  /** Other words for the item, which people look for it by. */
  readonly words?: string;
  /** Whether the item is a screen, which ranks higher. */
  readonly isScreen?: boolean;
}

/** Synonyms. The first of each group is the console's own word. */
const synonyms: readonly (readonly string[])[] = [
  ['new', 'create', 'add', 'make'],
  ['delete', 'remove', 'drop', 'destroy'],
  ['edit', 'change', 'modify', 'update', 'rename'],
  ['disable', 'offboard', 'deactivate', 'lock', 'suspend', 'block'],
  ['authorize', 'connect', 'ssh', 'psql', 'rdp', 'open'],
  ['clone', 'copy', 'duplicate'],
  ['import', 'move', 'migrate', 'bring'],
  ['theme', 'mode', 'appearance', 'color', 'colour'],
  ['environment', 'env', 'switch'],
  ['production', 'prod'],
  ['development', 'dev'],
  ['person', 'user', 'account'],
  ['settings', 'preferences', 'configuration', 'config', 'options'],
  ['keyboard', 'shortcuts', 'hotkeys', 'keys'],
  ['documentation', 'docs', 'manual'],
  ['activity', 'audit', 'log', 'history'],
];

/** Phrases, and the console's word for each. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\blog ?(?:out|off)\b|\bsign ?off\b|\bsignout\b/g, 'sign out'],
  [/\blog ?(?:in|on)\b|\bsignin\b/g, 'sign in'],
  [/\block ?out\b/g, 'lock'],
  [/\bapi[- ]?keys?\b/g, 'api token'],
  [/\btimezone\b/g, 'time zone'],
  [/\b2fa\b|\bmfa\b/g, 'two factor'],
  [/\bundo(?:ing)? delet\w*/g, 'undelete'],
];

/** Words that don't narrow a search. */
const emptyWords = new Set(
  'a an the that this of to for in on at my me i is it do how what where who can with and or all please show go find turn someone'.split(
    ' ',
  ),
);

const meaning = new Map(synonyms.flatMap((group) => group.map((word) => [word, group] as const)));

/** The words of a text in lower case, without those that don't narrow a search unless all are such. */
function wordsOf(text: string): readonly string[] {
  const plain = phrases.reduce((now, [phrase, word]) => now.replace(phrase, word), text.toLowerCase());
  const all = plain.split(/[^\p{L}\p{N}@._/-]+/u).filter(Boolean);
  const telling = all.filter((word) => !emptyWords.has(word));
  return telling.length === 0 ? all : telling;
}

/** Searches for items with words. The best match comes first. */
export interface ItemSearch<Item> {
  /** The items that have every word of a text. */
  readonly withAll: (text: string) => readonly Item[];
  /** The items that have the most words of a text; none for a single word. */
  readonly withMost: (text: string) => readonly Item[];
}

/** Indexes items. */
export function searchOf<Item extends Findable>(items: readonly Item[]): ItemSearch<Item> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const rank = (id: unknown): number => (byId.get(String(id))?.isScreen === true ? 1.35 : 1);
  const index = new MiniSearch<Item>({
    fields: ['label', 'detail', 'words'],
    tokenize: (text) =>
      text
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter(Boolean),
    searchOptions: {
      boost: { label: 4, words: 2 },
      prefix: true,
      // One typo in a short word, two in a long one.
      fuzzy: (term) => (term.length > 6 ? 2 : term.length > 3 && 1),
      boostDocument: rank,
      weights: { prefix: 0.6, fuzzy: 0.05 },
      // Many other words don't make a command a worse match.
      bm25: { k: 1.2, b: 0.3, d: 0.5 },
    },
  });
  index.addAll([...byId.values()]);
  const queryOf = (word: string): Query => ({
    combineWith: 'OR',
    queries: [
      {
        queries: [word],
        // A label that begins with the typed word itself is most likely meant.
        boostDocument: (id, term) =>
          rank(id) * (byId.get(String(id))?.label.toLowerCase().startsWith(term) === true ? 3 : 1),
      },
      // Prefixes and typos of synonyms would match too much.
      ...(meaning.get(word) ?? [])
        .filter((other) => other !== word)
        .map((other) => ({ queries: [other], prefix: false, fuzzy: false, boostTerm: () => 0.3 })),
    ],
  });
  const itemOf = (id: unknown): Item | readonly [] => byId.get(String(id)) ?? [];
  return {
    withAll(text) {
      const queries = wordsOf(text).map(queryOf);
      if (queries.length === 0) return [];
      return index.search({ combineWith: 'AND', queries }).flatMap(({ id }) => itemOf(id));
    },
    withMost(text) {
      const words = wordsOf(text);
      if (words.length < 2) return [];
      const found = words.flatMap((word) =>
        // Prefixes of short words and typos would match by chance.
        index.search({ queries: [queryOf(word)], fuzzy: false, prefix: word.length > 3 }),
      );
      const byItem = [...Map.groupBy(found, ({ id }) => id as unknown)].map(([id, of]) => ({
        id,
        count: of.length,
        score: of.reduce((sum, { score }) => sum + score, 0),
      }));
      const most = Math.max(...byItem.map(({ count }) => count));
      return byItem
        .filter(({ count }) => count === most)
        .toSorted((one, other) => other.score - one.score)
        .flatMap(({ id }) => itemOf(id));
    },
  };
}

/** A verb that the palette understands before or after a record's name. */
export type Verb =
  | 'authorize'
  | 'edit'
  | 'delete'
  | 'clone'
  | 'disable'
  | 'move'
  | 'publish'
  | 'upgrade'
  | 'credentials'
  | 'leases'
  | 'reach'
  | 'uses'
  | 'versions'
  | 'environments';

const verbs: Readonly<Record<Verb, readonly string[]>> = {
  authorize: ['authorize', 'connect', 'ssh', 'psql', 'rdp', 'open', 'session', 'login'],
  edit: ['edit', 'change', 'modify', 'update', 'rename', 'rotate'],
  delete: ['delete', 'remove', 'destroy'],
  clone: ['clone', 'duplicate'],
  disable: ['disable', 'offboard', 'deactivate', 'lock', 'suspend', 'block'],
  move: ['move', 'copy'],
  publish: ['publish', 'release', 'upload'],
  upgrade: ['upgrade'],
  credentials: ['credentials', 'keys', 'generate', 'issue'],
  leases: ['lease', 'leases', 'revoke'],
  reach: ['reach', 'reaches', 'access'],
  uses: ['uses', 'fetches', 'reads', 'consumers', 'used'],
  versions: ['versions', 'history', 'restore', 'compare'],
  // "compare … with staging"
  environments: [],
};

const nouns: Readonly<Record<string, readonly FoundKind[]>> = {
  target: ['target'],
  server: ['target', 'host'],
  database: ['target'],
  host: ['host', 'target'],
  secret: ['secret'],
  password: ['secret', 'person'],
  person: ['person'],
  user: ['person'],
  role: ['cloud-role'],
  plugin: ['plugin'],
  box: ['box'],
  module: ['module'],
  organization: ['organization'],
};

const kindsOf = (word: string): readonly FoundKind[] | undefined =>
  nouns[word] ?? nouns[word.replace(/e?s$/, '')];

/** A verb, kinds of records, and the text to search for, as read from what was typed. */
export interface Question {
  readonly verb: Verb | undefined;
  /** The named kinds; empty for all kinds. */
  readonly kinds: readonly FoundKind[];
  readonly text: string;
}

/**
 * Separates verbs and kinds from the words to search for: "delete user ines", "orders password", "who uses vpc".
 * @param environments IDs and names of environments, with which a record can be compared
 */
export function questionOf(text: string, environments: readonly string[] = []): Question {
  let verb: Verb | undefined;
  const kinds: FoundKind[] = [];
  const rest: string[] = [];
  const all = wordsOf(text);
  const others = all.includes('compare') ? environments.map((name) => name.toLowerCase()) : [];
  for (const word of all) {
    if (others.includes(word)) {
      verb = 'environments';
      continue;
    }
    const asked = (Object.keys(verbs) as Verb[]).find((one) => verbs[one].includes(word));
    const noun = kindsOf(word);
    if (asked !== undefined && (verb === undefined || verb === 'environments')) verb ??= asked;
    else if (noun !== undefined) kinds.push(...noun);
    else rest.push(word);
  }
  if (rest.length > 0) return { verb, kinds, text: rest.join(' ') };
  // In "database password", the last word is the kind, and the others may be part of a record's name.
  const last = all.length > 1 && verb === undefined ? kindsOf(all.at(-1) ?? '') : undefined;
  return last === undefined
    ? { verb: undefined, kinds: [], text: all.join(' ') }
    : { verb: undefined, kinds: last, text: all.slice(0, -1).join(' ') };
}
