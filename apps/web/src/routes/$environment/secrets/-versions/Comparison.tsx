import type { SecretMay } from '@gatehouse/api-types/console/secrets';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { DiffList, type FieldChange } from '@gatehouse/ui/diff-list';
import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { Eye, EyeOff, ScanEye } from 'lucide-react';
import { Suspense, useState } from 'react';
import { wordsOf } from '#lib/error-words.ts';
import { indentJson } from '#lib/indent-json.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { reasonAgainstReading } from '../may.ts';
import { compareVersions, comparisonInWords, fieldName, type FieldComparison } from './compare-versions.ts';
import { MaskedValue } from './MaskedValue.tsx';
import { useVersionValues } from './use-version-values.ts';

const TextDiff = lazy(async () => ({ default: (await import('./TextDiff.tsx')).TextDiff }));

export interface ComparisonProps {
  place: SecretPlace;
  from: number;
  to: number;
  /** JSON texts without values; null if they can't be read. */
  structures: readonly [before: string | null, after: string | null];
  may: SecretMay | null;
}

const views = [
  { value: 'fields', label: 'Fields' },
  { value: 'text', label: 'JSON, revealed' },
] as const;

/** The differences: names at once, masked values once you have them read. */
export function Comparison({ place, from, to, structures, may }: ComparisonProps) {
  const { values, isReading, failure, wereCleared, read } = useVersionValues(place);
  const [view, setView] = useState<'fields' | 'text'>('fields');
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set());
  const [before, after] = [values.get(from), values.get(to)];
  const hasValues = before !== undefined && after !== undefined;
  const cannotRead = reasonAgainstReading(may);
  const [oldNames, newNames] = structures;
  const fields: readonly FieldComparison[] = hasValues
    ? compareVersions(before, after, 'values')
    : oldNames !== null && newNames !== null
      ? compareVersions(oldNames, newNames, 'structure')
      : [];
  const changed = fields.filter(isChange);
  const ids = changed.map(idOf);
  const areAllShown = ids.length > 0 && ids.every((id) => revealed.has(id));
  return (
    <div className="flex flex-col gap-4">
      {!hasValues && (
        <Banner
          tone={wereCleared ? 'warn' : 'info'}
          announce={wereCleared ? 'status' : 'none'}
          title={wereCleared ? 'The values were cleared because the page was hidden' : 'Field names compared'}
          actions={
            <Button
              size={28}
              variant="primary"
              icon={ScanEye}
              isPending={isReading}
              disabledReason={cannotRead}
              onPress={() => {
                setRevealed(new Set());
                read([from, to]);
              }}
            >
              Compare the values
            </Button>
          }
        >
          {cannotRead ??
            'Comparing values reads both versions, which is recorded in the audit trail. The values stay masked.'}
        </Banner>
      )}
      {failure !== undefined && (
        <Banner tone="danger" title={`Values not read: ${wordsOf(failure).title}`}>
          {wordsOf(failure).detail}
        </Banner>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="me-auto text-body text-ink-2">
          {comparisonInWords(fields)}
        </p>
        {hasValues && view === 'fields' && changed.length > 0 && (
          <Button
            size={28}
            variant="ghost"
            icon={areAllShown ? EyeOff : Eye}
            onPress={() => {
              setRevealed(areAllShown ? new Set() : new Set(ids));
            }}
          >
            {areAllShown ? 'Hide all' : 'Reveal all'}
          </Button>
        )}
        {hasValues && (
          <SegmentedControl label="Compared as" segments={views} value={view} onChange={setView} />
        )}
      </div>
      {hasValues && view === 'text' ? (
        <Suspense fallback={<SkeletonList label="Comparing the texts" lines={5} />}>
          <TextDiff
            label={`JSON of version ${String(from)} and version ${String(to)}`}
            before={indentJson(before)}
            after={indentJson(after)}
          />
        </Suspense>
      ) : (
        <>
          {changed.length > 0 && (
            <DiffList
              label="Fields that differ"
              beforeLabel={`Version ${String(from)}`}
              afterLabel={`Version ${String(to)}`}
              changes={changed.map((field) => changeOf(field, hasValues, revealed))}
              {...(hasValues && {
                actionOf: ({ id, label }: FieldChange) => (
                  <IconButton
                    icon={revealed.has(id) ? EyeOff : Eye}
                    label={revealed.has(id) ? `Hide ${label}` : `Reveal ${label}`}
                    onPress={() => {
                      setRevealed((known) => {
                        const next = new Set(known);
                        if (!next.delete(id)) next.add(id);
                        return next;
                      });
                    }}
                  />
                ),
              })}
            />
          )}
          {changed.length === 0 && fields.length > 0 && (
            <p className="text-body text-ink-2">
              {hasValues
                ? 'Both versions are identical.'
                : "Both versions have the same fields. The values haven't been compared yet."}
            </p>
          )}
          <FieldNames title="Same in both" fields={fields.filter(({ change }) => change === 'same')} />
          <FieldNames
            title="In both, values not compared"
            fields={fields.filter(({ change }) => change === 'unknown')}
          />
        </>
      )}
    </div>
  );
}

type Changed = FieldComparison & { change: FieldChange['kind'] };

function isChange(field: FieldComparison): field is Changed {
  return field.change === 'added' || field.change === 'removed' || field.change === 'changed';
}

function idOf({ path }: FieldComparison): string {
  return JSON.stringify(path);
}

function changeOf(field: Changed, hasValues: boolean, revealed: ReadonlySet<string>): FieldChange {
  const id = idOf(field);
  const side = (text: string | undefined) =>
    text === undefined ? (
      <span className="inline-block text-ink-3">{hasValues ? '' : 'not read'}</span>
    ) : (
      <MaskedValue text={text} isShown={revealed.has(id)} />
    );
  return {
    id,
    label: fieldName(field.path),
    kind: field.change,
    before: side(field.before),
    after: side(field.after),
  };
}

function FieldNames({ title, fields }: { title: string; fields: readonly FieldComparison[] }) {
  if (fields.length === 0) return null;
  return (
    <details className="text-body">
      <summary className="cursor-default rounded-tag text-ink-2">
        {title} ({fields.length.toLocaleString('en')})
      </summary>
      <ul aria-label={title} className="mt-2 flex flex-wrap gap-1.5">
        {fields.map((field) => (
          <li
            key={idOf(field)}
            className="rounded-tag border border-line bg-sunken px-1.5 py-0.5 font-mono text-meta text-ink-1 wrap-anywhere"
          >
            {fieldName(field.path)}
          </li>
        ))}
      </ul>
    </details>
  );
}
