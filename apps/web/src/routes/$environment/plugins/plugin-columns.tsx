import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { Skeleton } from '@gatehouse/ui/skeleton';
import { Pin } from 'lucide-react';
import { useLayoutEffect, type ReactNode } from 'react';
import {
  deprecationWords,
  isDeprecated,
  mountWords,
  shortHash,
  sourceWords,
  stateWords,
  typeWords,
} from '#components/plugins/plugin-words.ts';
import { isStateRead, type KnownState } from '#components/plugins/states.ts';
import { counted } from '#lib/counted.ts';
import { isAlwaysMounted, type PluginRow } from './-catalog/catalog.ts';

/** A row of the list. Repeated names of the same plugin are muted. */
export interface ListedPlugin extends PluginRow {
  readonly isRepeat?: boolean;
  /** Undefined until read, null if it has none. */
  readonly state: KnownState | undefined | null;
}

/** Marks rows that follow another version of the same plugin. */
export function withRepeats(rows: readonly ListedPlugin[]): readonly ListedPlugin[] {
  return rows.map((row, index) => {
    const above = rows[index - 1];
    const isRepeat = above?.type === row.type && above.name === row.name;
    return isRepeat === (row.isRepeat ?? false) ? row : { ...row, isRepeat };
  });
}

const newsOf = ({ shadowed, shadows, isPinned, deprecation_status: status }: PluginRow) => [
  ...(isPinned ? [{ word: 'Pinned', tone: 'accent' as const }] : []),
  ...(shadowed ? [{ word: 'Shadowed', tone: 'warn' as const }] : []),
  ...(shadows ? [{ word: 'Shadows the built-in', tone: 'warn' as const }] : []),
  ...(isDeprecated(status) ? [{ word: deprecationWords(status), tone: 'warn' as const }] : []),
];

function usesOf(row: PluginRow): string {
  if (isAlwaysMounted(row)) return 'Always mounted';
  return row.uses?.map((mount) => mountWords(mount, row.version)).join(', ') ?? 'Unknown';
}

function UsesCell({ row }: { row: PluginRow }): ReactNode {
  const { uses } = row;
  if (isAlwaysMounted(row) || uses === null) return <span className="text-ink-3">{usesOf(row)}</span>;
  if (uses.length === 0) return <span className="text-ink-3">No mounts</span>;
  return uses.length > 2 ? counted(uses.length, 'mount') : usesOf(row);
}

const listedStates = {
  ...stateWords,
  denied: {
    word: 'No access',
    about: "Your policies don't let you read this registration. The catalog requires sudo as well as read.",
    tone: 'neutral',
  },
  failed: { word: 'Unknown', about: "The registration of this plugin couldn't be read.", tone: 'neutral' },
} as const;

/** A plugin's state and news, as far as known. */
const wordsOf = (row: ListedPlugin): readonly string[] => [
  ...(row.state === undefined || row.state === null ? [] : [listedStates[row.state].word]),
  ...newsOf(row).map(({ word }) => word),
];

/** A plugin's state, read when its row becomes visible. */
function StateCell({ row, see }: { row: ListedPlugin; see: (id: string) => void }): ReactNode {
  const { id, state } = row;
  const isRead = isStateRead(row);
  useLayoutEffect(() => {
    if (isRead) see(id);
  }, [id, isRead, see]);
  if (state === null) return null;
  if (state === undefined) {
    return (
      <>
        <Skeleton width={72} />
        <span className="sr-only">Not checked</span>
      </>
    );
  }
  const { word, about, tone } = listedStates[state];
  return tone === 'neutral' || tone === 'ok' ? (
    <span title={about} className="text-ink-2">
      {word}
    </span>
  ) : (
    <span title={about}>
      <Badge tone={tone}>{word}</Badge>
    </span>
  );
}

/** The texts that the search looks in. */
export const textsOfPlugin = (row: ListedPlugin): readonly string[] => [
  row.id,
  row.name,
  row.version,
  row.sha256,
  row.oci_image,
  typeWords[row.type],
  sourceWords[row.source],
  ...(row.uses ?? []).map(({ path }) => path),
];

/** @param see called with the IDs of visible rows */
export const pluginColumns = (see: (id: string) => void): readonly GridColumn<ListedPlugin>[] => [
  {
    id: 'name',
    header: 'Plugin',
    value: ({ name }) => name,
    cell: ({ name, isRepeat = false }) =>
      isRepeat ? <span className="ps-4 font-normal text-ink-2">{name}</span> : name,
    width: 216,
    isRowHeader: true,
    sortable: true,
    below: (row) => (
      <span className={row.isRepeat === true ? 'ps-4' : ''}>
        {[row.version, ...wordsOf(row)].filter((word) => word !== '').join(' · ')}
      </span>
    ),
  },
  { id: 'type', header: 'Type', value: ({ type }) => typeWords[type], width: 96, sortable: true },
  {
    id: 'version',
    header: 'Version',
    value: ({ version }) => version,
    cell: ({ version }) => (version === '' ? <span className="text-ink-3">None</span> : version),
    width: 168,
    sortable: true,
  },
  {
    id: 'source',
    header: 'Source',
    value: ({ source }) => sourceWords[source],
    width: 136,
    sortable: true,
  },
  {
    id: 'uses',
    header: 'Used by',
    value: usesOf,
    cell: (row) => <UsesCell row={row} />,
    width: 200,
    sortable: true,
  },
  {
    id: 'state',
    header: 'State',
    value: (row) => wordsOf(row).join(', '),
    cell: (row) => (
      <span className="flex items-center gap-1">
        <StateCell row={row} see={see} />
        {newsOf(row).map(({ word, tone }) => (
          <Badge key={word} tone={tone} {...(word === 'Pinned' && { icon: Pin })}>
            {word}
          </Badge>
        ))}
      </span>
    ),
    width: 216,
    sortable: true,
  },
  {
    id: 'sha256',
    header: 'SHA-256',
    value: ({ sha256 }) => sha256,
    cell: ({ sha256 }) => shortHash(sha256),
    width: 136,
    isMono: true,
    sortable: true,
  },
];
