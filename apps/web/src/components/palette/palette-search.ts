/** What of the palette matches the words that were typed. */
import type { PaletteGroup, PaletteItem } from '@gatehouse/ui/command-palette';

/** Items of one group while something is searched for: the palette is to be read at a glance. */
const mostMatches = 8;

/** An item with more words that people look for it by; they are not shown. */
export type FoundItem = PaletteItem & { readonly words?: string };

/** How well an item matches: the lower the better; undefined for not at all. Every word has to be found. */
function rank(
  { label, detail = '', words: more = '' }: Pick<FoundItem, 'label' | 'detail' | 'words'>,
  words: readonly string[],
): number | undefined {
  const name = label.toLowerCase();
  const all = `${name} ${detail.toLowerCase()} ${more}`;
  if (!words.every((word) => all.includes(word))) return undefined;
  const [first = ''] = words;
  if (name.startsWith(first)) return 0;
  if (name.includes(` ${first}`)) return 1;
  return name.includes(first) ? 2 : 3;
}

/** The groups with what matches in them, best first; the order of the groups stays. Without words everything. */
export function matchingGroups(
  groups: readonly (Omit<PaletteGroup, 'items'> & { readonly items: readonly FoundItem[] })[],
  text: string,
): readonly PaletteGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map(({ title, items }) => {
      if (words.length === 0) return { title, items };
      const ranked = items
        .map((item) => ({ item, rank: rank(item, words) }))
        .filter((found): found is { item: FoundItem; rank: number } => found.rank !== undefined)
        .toSorted((a, b) => a.rank - b.rank);
      return { title, items: ranked.slice(0, mostMatches).map(({ item }) => item) };
    })
    .filter(({ items }) => items.length > 0);
}

const whoUses = /^who (?:uses|fetches) +/i;

/** What is searched for among modules, and whether their consumers are asked for: "who uses vpc". */
export function moduleQuestion(text: string): { readonly text: string; readonly isWhoUses: boolean } {
  return { text: text.replace(whoUses, ''), isWhoUses: whoUses.test(text) };
}

/** What is asked about a cloud role, by the words around its name; the words of the answer stand before the name. */
const roleQuestions = [
  { before: /^who (?:uses|reads) +/i, tab: 'targets', words: 'Targets that use ' },
  { before: /^(?:revoke +)?leases? +(?:of +)?/i, after: / +leases?$/i, tab: 'leases', words: 'Leases of ' },
  {
    before: /^(?:(?:generate|get|new|issue) +)?(?:credentials|keys) +(?:(?:for|of) +)?/i,
    after: / +(?:credentials|keys)$/i,
    tab: 'credentials',
    words: 'Credentials of ',
  },
] as const;

/** What is searched for among cloud roles, and which part of one is asked for: "who uses deploy", "deploy credentials". */
export function roleQuestion(text: string): {
  readonly text: string;
  readonly tab?: 'targets' | 'leases' | 'credentials';
  readonly words: string;
} {
  for (const { before, tab, words, ...rest } of roleQuestions) {
    const name = text.replace(before, '');
    if (name !== text && name !== '') return { text: name, tab, words };
    if ('after' in rest && rest.after.test(text)) return { text: text.replace(rest.after, ''), tab, words };
  }
  return { text, words: '' };
}

/** The plugin that is to be upgraded: "upgrade artifactory"; undefined where none is asked for. */
export function upgradeQuestion(text: string): string | undefined {
  return /^upgrade +(?<name>.+)$/i.exec(text)?.groups?.['name'];
}
