import type { ValueLine } from '@gatehouse/api-types/console/secret-scans';
import { Button } from '@gatehouse/ui/button';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { LinkButton } from '@gatehouse/ui/link';
import { PasswordField } from '@gatehouse/ui/password-field';
import { VisibleEnds } from '@gatehouse/ui/visible-ends';
import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { crumbsOf, folderHref, fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { useForgetting } from '#lib/forgetting.ts';
import { readValueHolders } from '#queries/secret-scans.ts';
import { fieldOfPointer } from '#routes/$environment/secrets/-fields/IsThisIt.tsx';
import { useScan } from '#routes/$environment/secrets/use-scan.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { afterFound, nothingFound, nothingInWords } from '#routes/$environment/secrets/walk.ts';
import { WalkNews } from '#routes/$environment/secrets/WalkNews.tsx';

type Holder = Extract<ValueLine, { kind: 'match' }>;

const columns: readonly GridColumn<Holder>[] = [
  {
    id: 'path',
    header: 'Secret',
    value: ({ path }) => path,
    cell: ({ path }) => <VisibleEnds text={path} isPath />,
    width: 340,
    isRowHeader: true,
  },
  { id: 'fields', header: 'Fields with this value', value: fieldsInWords, width: 320 },
  { id: 'version', header: 'Version', value: ({ version }) => String(version), width: 100 },
];
const idOf = ({ path }: Holder): string => path;

function fieldsInWords({ fields, matched }: Holder): string {
  const named = fields.map(fieldOfPointer).join(', ');
  return matched > fields.length ? `${named} and ${String(matched - fields.length)} more` : named;
}

/** Finds the secrets below a folder whose newest version contains a pasted value. Shows no stored values. */
export function FindValuePage() {
  const place = useSecretPlace();
  const [value, setValue] = useState('');
  const [round, setRound] = useState(0);
  /** The value of the running search. */
  const sought = useRef('');
  const isAsked = round > 0;
  const { state, found, error, stop, restart } = useScan({
    asked: isAsked ? JSON.stringify([place, round]) : undefined,
    begin: (signal) => readValueHolders(place, sought.current, signal),
    after: afterFound<Holder>,
    none: nothingFound,
  });
  useForgetting(() => {
    setValue('');
    sought.current = '';
  });
  const isRunning = isAsked && state === 'running';
  const name = place.path === '' ? place.mount : nameOf(place.path);
  const here = folderHref(place);
  const toFolder = <LinkButton href={here}>Go to the folder</LinkButton>;
  return (
    <ListPage<Holder>
      title="Find a value"
      pageTitle={`Find a value in ${fullName(place)}`}
      icon={Search}
      list="secret-find-value"
      label={`Secrets below ${name} with this value`}
      noun={{ one: 'secret', many: 'secrets' }}
      gridKey={`${place.path} ${String(round)}`}
      columns={columns}
      query={{
        data: found,
        error,
        isPending: false,
        isError: state === 'failed',
        isFetching: isRunning,
        refetch: restart,
      }}
      status={isRunning && found.secrets.length === 0 ? 'loading' : undefined}
      rows={found.secrets}
      rowId={idOf}
      rowLabel={idOf}
      rowHref={({ path }) => secretHref({ ...place, path })}
      ancestors={[...crumbsOf(place), { id: 'here', label: name, href: here }]}
      up={here}
      refresh={{
        run: restart,
        label: 'Search again',
        button:
          isAsked &&
          (isRunning ? (
            <Button size={28} onPress={stop}>
              Stop the search
            </Button>
          ) : (
            <Button size={28} shortcut="r" onPress={restart}>
              Search again
            </Button>
          )),
      }}
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
      error={<Failure error={error} onRetry={restart} action={toFolder} />}
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
