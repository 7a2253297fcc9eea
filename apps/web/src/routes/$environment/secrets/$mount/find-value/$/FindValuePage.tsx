import type { ValueLine } from '@gatehouse/api-types/console/secret-scans';
import { Button } from '@gatehouse/ui/button';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { PasswordField } from '@gatehouse/ui/password-field';
import { createFileRoute } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { fullName, secretHref } from '#components/places/secrets.ts';
import { useForgetting } from '#lib/forgetting.ts';
import { readValueHolders } from '#queries/secret-scans.ts';
import { fieldOfPointer } from '#routes/$environment/secrets/-fields/IsThisIt.tsx';
import { pathColumn, scanList } from '#routes/$environment/secrets/scan-list.tsx';
import { useScan } from '#routes/$environment/secrets/use-scan.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { afterFound, nothingFound, nothingInWords } from '#routes/$environment/secrets/walk.ts';
import { WalkNews } from '#routes/$environment/secrets/WalkNews.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/find-value/$/')({
  component: FindValuePage,
});

type Holder = Extract<ValueLine, { kind: 'match' }>;

const columns: readonly GridColumn<Holder>[] = [
  pathColumn,
  { id: 'fields', header: 'Fields with this value', value: fieldsInWords, width: 320 },
  { id: 'version', header: 'Version', value: ({ version }) => String(version), width: 100 },
];

function fieldsInWords({ fields, matched }: Holder): string {
  const named = fields.map(fieldOfPointer).join(', ');
  return matched > fields.length ? `${named} and ${String(matched - fields.length)} more` : named;
}

/** Finds the secrets below a folder whose newest version contains a pasted value. Shows no stored values. */
function FindValuePage() {
  const place = useSecretPlace();
  const [value, setValue] = useState('');
  const [round, setRound] = useState(0);
  /** The value of the running search. */
  const sought = useRef('');
  const isAsked = round > 0;
  const scan = useScan({
    asked: isAsked ? JSON.stringify([place, round]) : undefined,
    begin: (signal) => readValueHolders(place, sought.current, signal),
    after: afterFound<Holder>,
    none: nothingFound,
  });
  useForgetting(() => {
    setValue('');
    sought.current = '';
  });
  const state = isAsked ? scan.state : 'done';
  const { found } = scan;
  const { name, toFolder, list } = scanList(place, { ...scan, state }, found.secrets);
  const isRunning = state === 'running';
  return (
    <ListPage<Holder>
      title="Find a value"
      pageTitle={`Find a value in ${fullName(place)}`}
      icon={Search}
      list="secret-find-value"
      label={`Secrets below ${name} with this value`}
      gridKey={`${place.path} ${String(round)}`}
      columns={columns}
      rowHref={({ path }) => secretHref({ ...place, path })}
      {...list}
      refresh={isAsked ? list.refresh : { ...list.refresh, button: false }}
      empty={
        isAsked ? (
          <NoMatches
            title={nothingInWords(state, found, 'No secret here has this value in its newest version.')}
            action={toFolder}
          />
        ) : (
          <NoMatches title="Paste a value to find the secrets that contain it." action={toFolder} />
        )
      }
      error={<Failure error={scan.error} onRetry={scan.restart} action={toFolder} />}
    >
      <form
        className="flex shrink-0 flex-wrap items-end gap-2 border-b border-line px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (value === '' || isRunning) return;
          sought.current = value;
          setRound(round + 1);
          setValue('');
        }}
      >
        <div className="min-w-60 flex-1 wide:max-w-100">
          <PasswordField
            label="Value"
            description="The server compares it with the newest version of every secret in this folder and below that you may read. No stored value is shown."
            value={value}
            onChange={setValue}
            autoComplete="off"
            autoFocus
          />
        </div>
        <Button
          type="submit"
          isPending={isRunning}
          disabledReason={value === '' ? 'Paste a value first.' : undefined}
        >
          Find
        </Button>
      </form>
      {isAsked && <WalkNews state={state} found={found} />}
    </ListPage>
  );
}
