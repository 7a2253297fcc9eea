import { stringOf } from '@gatehouse/api-types/console/json-text';
import type { Secret } from '@gatehouse/api-types/console/secrets';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { CopyButton } from '@gatehouse/ui/copy-button';
import { IconButton } from '@gatehouse/ui/icon-button';
import { VisibleEnds } from '@gatehouse/ui/visible-ends';
import { Download, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { nameOf } from '#components/places/secrets.ts';
import { wordsOf } from '#lib/error-words.ts';
import { indentJson } from '#lib/indent-json.ts';
import { saveFile } from '#lib/save-file.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { MaskedValue } from '../-versions/MaskedValue.tsx';
import { reasonAgainstReading } from '../may.ts';
import type { FieldShape } from './structure.ts';
import { allFields, useRevealedFields, type RevealedFields } from './use-revealed-fields.ts';

export interface FieldsCardProps {
  place: SecretPlace;
  version: number;
  fields: readonly FieldShape[];
  may: Secret['may'];
}

/** The fields of one version: names, with values once you reveal them. */
export function FieldsCard({ place, version, fields, may }: FieldsCardProps) {
  const revealed = useRevealedFields(place, version);
  const [failedFile, setFailedFile] = useState<unknown>();
  const cannotRead = reasonAgainstReading(may);
  const areAllShown = fields.length > 0 && fields.every(({ name }) => revealed.values.has(name));
  const failure = revealed.failure ?? failedFile;
  const toggleAll = (): void => {
    if (areAllShown) revealed.mask(allFields);
    else revealed.reveal(allFields);
  };
  useShortcut(
    cannotRead === undefined && fields.length > 0
      ? {
          keys: 'v',
          label: areAllShown ? 'Hide all values' : 'Reveal all values',
          group: 'Secret',
          run: toggleAll,
        }
      : undefined,
  );
  const download = async (): Promise<void> => {
    setFailedFile(undefined);
    try {
      const data = await revealed.read(allFields);
      saveFile(
        new Blob([data], { type: 'application/json' }),
        `${nameOf(place.path)}.v${String(version)}.json`,
      );
    } catch (error) {
      setFailedFile(error);
    }
  };
  return (
    <Card
      title={fields.length === 1 ? '1 field' : `${String(fields.length)} fields`}
      isFlush
      actions={
        fields.length > 0 && (
          <span className="flex items-center gap-1">
            <IconButton
              icon={Download}
              label="Download as JSON"
              disabledReason={cannotRead}
              onPress={() => void download()}
            />
            {cannotRead === undefined && (
              <CopyButton text={() => revealed.read(allFields)} label="Copy all as JSON" isSecret />
            )}
            <Button
              size={28}
              variant="ghost"
              icon={areAllShown ? EyeOff : Eye}
              isPending={revealed.reading === allFields}
              disabledReason={cannotRead}
              shortcut="v"
              onPress={toggleAll}
            >
              {areAllShown ? 'Hide all' : 'Reveal all'}
            </Button>
          </span>
        )
      }
      footer={
        cannotRead ??
        'Every reveal, copy and download is recorded in the audit trail. Values are hidden again when you leave this page or its tab.'
      }
    >
      {failure !== undefined && (
        <div className="border-b border-line p-3">
          <Banner tone="danger" title={wordsOf(failure).title}>
            {wordsOf(failure).detail}
          </Banner>
        </div>
      )}
      {revealed.wereCleared && (
        <p role="status" className="border-b border-line px-4 py-1.5 text-meta text-ink-2">
          The values were hidden because you left the page.
        </p>
      )}
      {revealed.repeated.length > 0 && (
        <div className="border-b border-line p-3">
          <Banner tone="warn" title={repeatedTitle(revealed.repeated)}>
            Most programs use the last value, which is shown here. To see all values, edit the secret as JSON.
          </Banner>
        </div>
      )}
      {fields.length === 0 ? (
        <p className="p-4 text-body text-ink-2">This version has no fields.</p>
      ) : (
        <ul aria-label="Fields">
          {fields.map((field) => (
            <FieldRow key={field.name} field={field} revealed={revealed} cannotRead={cannotRead} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FieldRow({
  field: { name, below },
  revealed,
  cannotRead,
}: {
  field: FieldShape;
  revealed: RevealedFields;
  cannotRead: string | undefined;
}) {
  const text = revealed.values.get(name);
  const isShown = text !== undefined;
  const shownName = name === '' ? '""' : name;
  return (
    <li
      aria-label={shownName}
      className="group grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 border-b border-line py-1 ps-4 pe-2 last:border-b-0 narrow:grid-cols-[minmax(120px,32%)_minmax(0,1fr)_auto]"
    >
      <span className="flex min-w-0 flex-col py-1">
        <span className="font-mono text-meta/5 text-ink-1 wrap-anywhere">
          <VisibleEnds text={shownName} />
        </span>
        {below.length > 0 && (
          <span className="font-mono text-meta text-ink-3 wrap-anywhere">{`{ ${below.join(', ')} }`}</span>
        )}
      </span>
      <span className="min-w-0 py-1 text-ink-1 max-narrow:order-last max-narrow:col-span-full">
        <MaskedValue
          text={isShown && stringOf(text) === undefined ? indentJson(text) : (text ?? '')}
          isShown={isShown}
        />
      </span>
      <span className="flex">
        <IconButton
          icon={isShown ? EyeOff : Eye}
          label={isShown ? `Hide ${shownName}` : `Reveal ${shownName}`}
          isPending={revealed.reading === name}
          disabledReason={cannotRead}
          onPress={() => {
            if (isShown) revealed.mask(name);
            else revealed.reveal(name);
          }}
        />
        {cannotRead === undefined && (
          <CopyButton
            text={async () => {
              const value = await revealed.read(name);
              return stringOf(value) ?? value;
            }}
            label={`Copy ${shownName}`}
            isSecret
          />
        )}
      </span>
    </li>
  );
}

function repeatedTitle(names: readonly string[]): string {
  return names.length === 1
    ? `${names.join()} appears more than once`
    : `${names.join(', ')} appear more than once`;
}
