import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import type { ReactNode } from 'react';
import { Failure } from '#components/errors/Failure.tsx';

/** The state of a history that is being read. */
export interface Read<Item> {
  /** Null if the server keeps none, undefined until it is read. */
  readonly items: readonly Item[] | null | undefined;
  /** Why it could not be read; undefined or null if it could. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** A cluster's history, newest first. */
export function HistoryCard<Item>({
  id,
  label,
  title = label,
  read: { items, error, retry },
  reason,
  none,
  untold,
  about,
  actions,
  more,
  row,
}: {
  /** The fragment that links point to. */
  id: string;
  label: string;
  /** Defaults to the label. */
  title?: string;
  read: Read<Item>;
  /** Why it isn't read. */
  reason: string | undefined;
  none: string;
  untold: string;
  about?: string;
  actions?: ReactNode;
  /** Loads more items. */
  more?: { readonly label: string; readonly isPending: boolean; readonly onPress: () => void } | undefined;
  row: (item: Item) => ReactNode;
}) {
  const shown = items ?? [];
  return (
    <div id={id} className="min-w-0 scroll-mt-4">
      <Card
        title={title}
        isFlush
        {...(shown.length > 0 && about !== undefined && { footer: about })}
        {...(actions !== undefined && { actions })}
      >
        {reason !== undefined ? (
          <p className="p-4 text-body text-ink-2">{reason}</p>
        ) : items === undefined ? (
          error ? (
            <Failure error={error} onRetry={retry} />
          ) : (
            <div className="p-4">
              <SkeletonList label={`Loading ${label.toLowerCase()}`} lines={3} />
            </div>
          )
        ) : (
          shown.length === 0 && <p className="p-4 text-body text-ink-2">{items === null ? untold : none}</p>
        )}
        {shown.length > 0 && (
          <ol tabIndex={0} aria-label={label} className="max-h-120 overflow-y-auto -outline-offset-2!">
            {shown.map((item, index) => (
              <li key={index} className="border-b border-line px-4 py-2 last:border-b-0">
                {row(item)}
              </li>
            ))}
          </ol>
        )}
        {more !== undefined && (
          <div className="border-t border-line px-4 py-2">
            <Button size={28} isPending={more.isPending} onPress={more.onPress}>
              {more.label}
            </Button>
          </div>
        )}
      </Card>
    </div>
  );
}
