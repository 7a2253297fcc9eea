/** A choice in words, for conflicts and summaries. */
import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import { moveChoice, type MoveChoice } from '@gatehouse/api-types/console/moves';
import { absent } from '@gatehouse/record-merge/absent';
import type { ConflictWords } from '#components/conflict/conflict-words.ts';
import { kindWords } from '#components/moves/move-kinds.ts';
import { versionsWords } from '#components/moves/move-words.ts';
import { counted } from '#lib/counted.ts';
import { linksWords, privacyWords } from './link-words.ts';

/** `all`, `all but 3`, `only 3` */
function itemsWords({ kind, ids }: MoveChoice['items'], move: MoveKind): string {
  const { one, many } = kindWords[move];
  if (kind === 'only') return `only ${counted(ids.length, one, many)}`;
  return ids.length === 0 ? `all ${many}` : `all but ${counted(ids.length, one, many)}`;
}

function namesWords(names: readonly string[] | null): string {
  return names === null ? 'all' : names.length === 0 ? 'none' : names.join(', ');
}

export function choiceConflictWords(kind: MoveKind): ConflictWords {
  const labels: Readonly<Record<string, string>> = {
    items: kind === 'boxes' ? 'Boxes' : 'Modules',
    versions: 'Versions',
    providers: 'Providers',
    architectures: 'Architectures',
    links: 'Images stored elsewhere',
    privacy: 'Access to created boxes',
  };
  return {
    noun: 'choice',
    labelOf: ({ path: [field = '', from = ''] }) =>
      field === 'owners' ? `Name of ${from} here` : (labels[field] ?? field),
    show: ([field = ''], value) => {
      if (value === absent || value === undefined) return '';
      const { items, versions, providers, links, privacy } = moveChoice.shape;
      switch (field) {
        case 'items': {
          const read = items.safeParse(value);
          return read.success ? itemsWords(read.data, kind) : '';
        }
        case 'versions': {
          const read = versions.safeParse(value);
          return read.success ? versionsWords(read.data) : '';
        }
        case 'providers':
        case 'architectures': {
          const read = providers.safeParse(value);
          return read.success ? namesWords(read.data) : '';
        }
        case 'links': {
          const read = links.safeParse(value);
          return read.success ? linksWords[read.data] : '';
        }
        case 'privacy': {
          const read = privacy.safeParse(value);
          return read.success ? privacyWords[read.data] : '';
        }
        default:
          return ownerWords(value);
      }
    },
  };
}

function ownerWords(value: unknown): string {
  const read = moveChoice.shape.owners.def.element.safeParse(value);
  return read.success ? read.data.to : typeof value === 'string' ? value : '';
}
