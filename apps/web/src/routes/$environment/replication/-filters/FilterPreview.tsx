import type {
  FilteredItem,
  ReplicationFilterFields,
} from '@gatehouse/api-types/console/replication-secondaries';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { filterPreviewQuery } from '#queries/replication.ts';
import { effectsOf, notAllInWords, unmatchedInWords } from './filter-effects.ts';

/** A filter's effect on the existing mounts and namespaces. */
export function FilterPreview({
  environment,
  secondary,
  fields,
}: {
  /** The primary's environment. */
  environment: string;
  /** The secondary whose filter it replaces; undefined for a new secondary. */
  secondary?: string;
  fields: ReplicationFilterFields;
}) {
  const settled = useDeferredValue(fields);
  const query = useQuery(
    filterPreviewQuery(environment, { ...settled, ...(secondary !== undefined && { secondary }) }),
  );
  const { data, error } = query;
  if (data === undefined)
    return query.isError ? (
      <Banner tone="warn" title="Can't preview this filter">
        {wordsOf(error).detail}
      </Banner>
    ) : (
      <SkeletonList label="Loading the preview" lines={6} />
    );
  const { loses, gains, keeps, without } = effectsOf(data.items);
  const isNew = secondary === undefined;
  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      {settled.mode === 'allow' && settled.paths.length === 0 && (
        <Banner tone="warn" title="Nothing would be replicated">
          Only the listed paths are replicated, and no path is listed.
        </Banner>
      )}
      {!data.complete && (
        <Banner tone="warn" title="There may be more than shown">
          {notAllInWords}
        </Banner>
      )}
      {unmatchedInWords(data).map(({ title, detail }) => (
        <Banner key={title} tone="info" title={title}>
          {detail}
        </Banner>
      ))}
      <ItemList
        title={isNew ? 'Not received' : 'Deleted from the secondary'}
        tone={isNew ? 'warn' : 'danger'}
        items={loses}
      />
      <ItemList title="Newly received" tone="info" items={gains} />
      <ItemList title={isNew ? 'Received' : 'Kept'} tone="ok" items={keeps} />
      <ItemList title="Not received, before or after" tone="neutral" items={without} />
    </div>
  );
}

function ItemList({
  title,
  tone,
  items,
}: {
  title: string;
  tone: 'danger' | 'warn' | 'info' | 'ok' | 'neutral';
  items: readonly FilteredItem[];
}) {
  if (items.length === 0) return null;
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          {title}
          <Badge tone={tone}>{counted(items.length, 'path')}</Badge>
        </span>
      }
      isFlush
    >
      <ul tabIndex={0} aria-label={title} className="max-h-72 overflow-y-auto -outline-offset-2!">
        {items.map(({ path, kind, plugin, local }) => (
          <li
            key={`${kind} ${path}`}
            className="flex flex-wrap items-center gap-x-3 border-b border-line px-4 py-1.5 last:border-b-0"
          >
            <span className="font-mono text-meta text-ink-1 wrap-anywhere">{path}</span>
            <span className="ms-auto text-meta text-ink-2">
              {kind === 'namespace' ? 'namespace' : `${kind}${plugin === '' ? '' : `, ${plugin}`}`}
              {local && ', local to its cluster'}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
