/** A filter's effect on a secondary's existing data. */
import type {
  FilteredItem,
  ReplicationFilterFields,
} from '@gatehouse/api-types/console/replication-secondaries';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { counted } from '#lib/counted.ts';

export interface FilterPreview {
  readonly items: readonly FilteredItem[];
  readonly unmatched: readonly string[];
  readonly complete: boolean;
}

export interface FilterEffects {
  /** Received now, but no longer. */
  readonly loses: readonly FilteredItem[];
  /** Not received yet, but would be. */
  readonly gains: readonly FilteredItem[];
  readonly keeps: readonly FilteredItem[];
  /** Neither received now nor afterwards: already filtered, or local. */
  readonly without: readonly FilteredItem[];
}

/** Parts that no filter affects: policies and plugins, which are always replicated, and tokens and accounts. */
const kept = /(?:^|\/)(?:sys|identity|cubbyhole|auth\/token)(?:\/|$)/;

/** Said when a list of mounts and namespaces isn't complete. */
export const notAllInWords =
  "Your policies don't let you list every mount and namespace, or there are too many to list.";

/** Notes on paths that match nothing a filter affects, as far as the list tells. */
export function unmatchedInWords({
  unmatched,
  complete,
}: Pick<FilterPreview, 'unmatched' | 'complete'>): readonly {
  readonly title: string;
  readonly detail: string;
}[] {
  const { own = [], open = [] } = Object.groupBy(unmatched, (path) => (kept.test(path) ? 'own' : 'open'));
  return [
    ...(own.length === 0
      ? []
      : [
          {
            title: `No filter affects ${own.join(', ')}`,
            detail: 'Policies and the plugin catalog are always replicated. Tokens and accounts never are.',
          },
        ]),
    ...(open.length === 0
      ? []
      : [
          {
            title: complete
              ? `Nothing exists at ${open.join(', ')} yet`
              : `Nothing was found at ${open.join(', ')}`,
            detail: `The filter applies to anything ${complete ? 'mounted there later' : 'there, now or later'}.`,
          },
        ]),
  ];
}

/** Groups items by the filter's effect. */
export function effectsOf(items: readonly FilteredItem[]): FilterEffects {
  const those = (had: boolean, has: boolean) =>
    items.filter((item) => item.received === had && item.will_be_received === has);
  return {
    loses: those(true, false),
    gains: those(false, true),
    keeps: those(true, true),
    without: those(false, false),
  };
}

/** The impacts shown before a filter is saved. */
export function impactsOfFilter(
  secondary: string,
  mode: ReplicationFilterFields['mode'],
  preview: FilterPreview,
): readonly (Impact & { readonly text: string })[] {
  const { loses, gains } = effectsOf(preview.items);
  const inWords = (those: readonly FilteredItem[]): string => those.map(({ path }) => path).join(', ');
  return [
    ...(loses.length === 0
      ? []
      : [
          {
            kind: 'breaks' as const,
            text: `${counted(loses.length, 'path')} and everything below ${loses.length === 1 ? 'it' : 'them'} are deleted from ${secondary}: ${inWords(loses)}.`,
          },
        ]),
    ...(gains.length === 0
      ? []
      : [
          {
            kind: 'updates-itself' as const,
            text: `${secondary} also receives ${counted(gains.length, 'path')}: ${inWords(gains)}.`,
          },
        ]),
    ...(loses.length + gains.length === 0
      ? [{ kind: 'updates-itself' as const, text: 'Nothing changes for existing data.' }]
      : []),
    ...unmatchedInWords(preview).map(({ title, detail }) => ({
      kind: 'worth-knowing' as const,
      text: `${title}. ${detail}`,
    })),
    ...(preview.complete
      ? []
      : [
          {
            kind: 'worth-knowing' as const,
            text: `${notAllInWords} More may be deleted.`,
          },
        ]),
    mode === 'all'
      ? {
          kind: 'worth-knowing',
          text: 'If you save a filter again later, the data it excludes is deleted from this secondary.',
        }
      : {
          kind: 'worth-knowing',
          text: "A filtered secondary can't become the primary without losing the data it doesn't have.",
        },
  ];
}
