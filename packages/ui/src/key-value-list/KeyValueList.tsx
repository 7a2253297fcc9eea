import { clsx } from 'clsx';
import { Fragment, type ReactNode } from 'react';
import { CopyButton } from '../copy-button/CopyButton.tsx';

export interface KeyValue {
  label: string;
  /** `undefined`, `null` and the empty string are shown as not set. */
  value: ReactNode;
  /** For IDs, addresses, expressions. */
  isMono?: boolean;
  /** Adds a button that copies this text. */
  copyText?: string;
}

export interface KeyValueListProps {
  items: readonly KeyValue[];
  /** Shown if there is no value. */
  emptyText?: string;
}

/** A record's names and values, aligned in two columns (one if narrow). */
export function KeyValueList({ items, emptyText = 'Not set' }: KeyValueListProps) {
  return (
    <dl className="@container">
      <div className="grid grid-cols-1 @md:grid-cols-[clamp(112px,32%,200px)_1fr] ">
        {items.map(({ label, value, isMono = false, copyText }) => {
          const isEmpty = value === undefined || value === null || value === '';
          return (
            <Fragment key={label}>
              <dt className="pt-1.5 text-body text-ink-2 @md:border-b @md:border-line @md:py-1.5 @md:pe-4">
                {label}
              </dt>
              <dd
                className={clsx(
                  'group flex min-h-7 min-w-0 items-start gap-1 border-b border-line pb-1.5 @md:min-h-8 @md:pt-1.5 text-body',
                  isEmpty ? 'text-ink-3' : 'text-ink-1',
                )}
              >
                <span
                  className={clsx('min-w-0 wrap-anywhere', isMono && !isEmpty && 'font-mono text-meta/5')}
                >
                  {isEmpty ? emptyText : value}
                </span>
                {copyText !== undefined && !isEmpty && (
                  <span className="-my-1 flex">
                    <CopyButton
                      text={copyText}
                      label={`Copy ${label.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase())}`}
                    />
                  </span>
                )}
              </dd>
            </Fragment>
          );
        })}
      </div>
    </dl>
  );
}
