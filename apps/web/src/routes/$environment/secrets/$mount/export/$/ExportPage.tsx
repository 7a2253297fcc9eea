import * as at from '@gatehouse/api-types/console/addresses/secrets';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { FileOutput } from 'lucide-react';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { crumbsOf, folderHref, fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { on, searchOf } from '#lib/search.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { type ExportState, useExport } from '#routes/$environment/secrets/-files/use-export.ts';
import type { ExportFormat } from '#routes/$environment/secrets/-files/write-export.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';

export const Route = createFileRoute('/$environment/secrets/$mount/export/$/')({
  /** `secret`: the path is a secret's, not a folder's. */
  validateSearch: searchOf({ secret: on }).parse,
  component: ExportPage,
});

const route = getRouteApi('/$environment/secrets/$mount/export/$/');

/** Exports a secret, or all secrets below a folder, to a file, after a warning about what leaves the console. */
function ExportPage() {
  const place = useSecretPlace();
  const { secret = false } = route.useSearch();
  const what = secret ? 'secret' : 'folder';
  const here = secret ? secretHref(place) : folderHref(place);
  usePageTitle(`Export ${fullName(place)}`);
  return (
    <>
      <PageHeader
        icon={FileOutput}
        title="Export"
        ancestors={[
          ...crumbsOf(place),
          { id: 'here', label: place.path === '' ? place.mount : nameOf(place.path), href: here },
        ]}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Export key={`${place.path} ${what}`} place={place} what={what} here={here} />
      </div>
    </>
  );
}

function Export({ place, what, here }: { place: SecretPlace; what: 'secret' | 'folder'; here: string }) {
  const environment = useEnvironment();
  const [format, setFormat] = useState<ExportFormat>('json');
  const [isAsking, setAsking] = useState(false);
  const { state, run, stop } = useExport(place, what);
  const isRunning = state.kind === 'running';
  const name = fullName(place);
  const { isAsked, asks } = useLadder(at.secretTransfers.export.harm, name);
  const subject =
    what === 'secret'
      ? 'The newest version of this secret'
      : `The newest version of every secret that you can read below ${name}/`;
  return (
    <div className="mx-auto flex w-full max-w-200 flex-col gap-6 p-4 wide:p-6">
      <Banner tone="warn" title="The values leave the console unencrypted" announce="none">
        {subject} is written to a file on this computer, with all its fields. The console keeps no copy. The
        file isn't protected: anyone who has it can read the values. The audit trail records your name and the
        path, but no values.
      </Banner>
      <RadioGroup
        label="File format"
        look="card"
        direction="row"
        value={format}
        onChange={(value) => {
          setFormat(value === 'dotenv' ? 'dotenv' : 'json');
        }}
        disabledReason={isRunning ? 'The file is being written.' : undefined}
        options={[
          {
            value: 'json',
            label: 'JSON',
            description:
              'One object that maps paths to secrets, with all values as stored. You can import the file again.',
          },
          {
            value: 'dotenv',
            label: 'dotenv',
            description:
              what === 'secret'
                ? "NAME=value lines. Values that aren't text are written as JSON."
                : 'NAME=value lines, one secret after another. An import reads the whole file as one secret.',
          },
        ]}
      />
      <div className="flex items-center gap-2">
        {isRunning ? (
          <Button onPress={stop}>Stop</Button>
        ) : (
          <Button
            variant="primary"
            icon={FileOutput}
            onPress={() => {
              if (isAsked) setAsking(true);
              else run(format);
            }}
          >
            {state.kind === 'ready' ? 'Export to a file' : 'Export again'}
          </Button>
        )}
        <LinkButton href={here}>{state.kind === 'done' ? 'Back' : 'Cancel'}</LinkButton>
      </div>
      {isRunning && <ProgressBar label="Reading" valueLabel={counted(state.count, 'secret')} />}
      <Outcome state={state} />
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={`Export from ${environment.name}?`}
        confirmLabel="Export to a file"
        tone="primary"
        {...asks}
        onConfirm={() => {
          setAsking(false);
          run(format);
        }}
      >
        {subject} leaves the console in clear text.
      </ConfirmDialog>
    </div>
  );
}

function Outcome({ state }: { state: ExportState }) {
  const { kind, count, skipped, left, repeated, fileName, error } = state;
  if (kind === 'ready' || kind === 'running') return null;
  if (kind === 'stopped') {
    return (
      <Banner tone="info" title="Export stopped">
        No file was written. {counted(count, 'secret')} had been read, which the audit trail records.
      </Banner>
    );
  }
  if (kind === 'failed') {
    const { title, detail, mend, requestId } = wordsOf(error);
    return (
      <Banner tone="danger" title={`No file was written: ${title.toLowerCase()}`}>
        {detail} {mend}{' '}
        {requestId !== undefined && <span className="font-mono text-meta">Request {requestId}</span>}
      </Banner>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {count === 0 ? (
        <Banner tone="warn" title="Nothing to export">
          No secret could be read, so no file was written.
        </Banner>
      ) : (
        <Banner tone="ok" title={`${counted(count, 'secret')} written to ${fileName}`}>
          The file is in your browser's downloads. Delete it when you no longer need it.
        </Banner>
      )}
      {skipped.length > 0 && (
        <Left
          title={`${counted(skipped.length, 'secret')} left out`}
          items={skipped.map(({ path, detail }) => `${path}: ${detail}`)}
        />
      )}
      {left.length > 0 && (
        <Left
          title={`${counted(left.length, 'field')} left out: dotenv doesn't allow ${left.length === 1 ? 'its name' : 'their names'}`}
          items={left}
        />
      )}
      {repeated.length > 0 && (
        <Left
          title={`${counted(repeated.length, 'name')} used by several secrets. Programs that read the file use the last value`}
          items={repeated}
        />
      )}
    </div>
  );
}

function Left({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <Banner tone="warn" title={title}>
      <ul className="max-h-40 overflow-y-auto">
        {items.map((item) => (
          <li key={item} className="font-mono text-meta">
            {item}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
