/** What of the palette matches the words that were typed. */
import type { PaletteGroup, PaletteItem } from '@gatehouse/ui/command-palette';

/** Items of one group while something is searched for: the palette is to be read at a glance. */
const mostMatches = 8;

/** How well an item matches: the lower the better; undefined for not at all. Every word has to be found. */
function rank(
  { label, detail = '' }: Pick<PaletteItem, 'label' | 'detail'>,
  words: readonly string[],
): number | undefined {
  const name = label.toLowerCase();
  const all = `${name} ${detail.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return undefined;
  const [first = ''] = words;
  if (name.startsWith(first)) return 0;
  if (name.includes(` ${first}`)) return 1;
  return name.includes(first) ? 2 : 3;
}

/** The groups with what matches in them, best first; the order of the groups stays. Without words everything. */
export function matchingGroups(groups: readonly PaletteGroup[], text: string): readonly PaletteGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map(({ title, items }) => {
      if (words.length === 0) return { title, items };
      const ranked = items
        .map((item) => ({ item, rank: rank(item, words) }))
        .filter((found): found is { item: PaletteItem; rank: number } => found.rank !== undefined)
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
