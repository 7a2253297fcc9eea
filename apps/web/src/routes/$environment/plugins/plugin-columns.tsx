import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { Pin } from 'lucide-react';
import { counted } from '#lib/counted.ts';
import type { PluginRow } from './-catalog/catalog.ts';
import {
  deprecationWords,
  isDeprecated,
  mountWords,
  shortHash,
  sourceWords,
  typeWords,
} from './-catalog/plugin-words.ts';

/** A row of the list: below another version of the same plugin its name is there once more, and quiet. */
export interface ListedPlugin extends PluginRow {
  readonly isRepeat?: boolean;
}

/** Rows that follow another version of the same plugin are marked. */
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

const usesOf = ({ uses, version }: PluginRow): string =>
  uses?.map((mount) => mountWords(mount, version)).join(', ') ?? 'Unknown';

/** What the list is searched for. */
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

export const pluginColumns: readonly GridColumn<ListedPlugin>[] = [
  {
    id: 'name',
    header: 'Plugin',
    value: ({ name }) => name,
    cell: ({ name, isRepeat = false }) =>
      isRepeat ? <span className="ps-4 font-normal text-ink-2">{name}</span> : name,
    width: 232,
    isRowHeader: true,
    sortable: true,
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
    cell: (row) =>
      row.uses?.length === 0 ? (
        <span className="text-ink-3">No mount</span>
      ) : row.uses !== null && row.uses.length > 2 ? (
        counted(row.uses.length, 'mount')
      ) : (
        usesOf(row)
      ),
    width: 240,
    sortable: true,
  },
  {
    id: 'state',
    header: 'State',
    value: (row) =>
      newsOf(row)
        .map(({ word }) => word)
        .join(', '),
    cell: (row) => (
      <span className="flex gap-1">
        {newsOf(row).map(({ word, tone }) => (
          <Badge key={word} tone={tone} {...(word === 'Pinned' && { icon: Pin })}>
            {word}
          </Badge>
        ))}
      </span>
    ),
    width: 200,
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
