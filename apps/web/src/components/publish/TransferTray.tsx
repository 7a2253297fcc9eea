import { Button } from '@gatehouse/ui/button';
import { Drawer } from '@gatehouse/ui/drawer';
import { Icon } from '@gatehouse/ui/icon';
import { Link } from '@gatehouse/ui/link';
import { Spinner } from '@gatehouse/ui/spinner';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { CircleAlert, CirclePause } from 'lucide-react';
import { useState } from 'react';
import { usePolling } from '../../lib/polling.ts';
import { useSendings } from '../../lib/uploads/sending.ts';
import { runQuery, runsPoll, runsQuery } from '../../queries/publish.ts';
import { useEnvironment } from '../layout/use-environment.ts';
import { titleOfRun } from './publish-steps.ts';
import { runHref } from './run-href.ts';
import { RunLog } from './RunLog.tsx';
import { TransferCard } from './TransferCard.tsx';
import { transfersOf, trayWords, type Transfer } from './tray-words.ts';

/** At the foot of every screen while images are on their way, also after a reload: how far they are, and all that can be done. */
export function TransferTray() {
  const environment = useEnvironment();
  const sendings = useSendings();
  const [isOpen, setOpen] = useState(false);
  const { data: runs = [] } = useQuery(runsQuery(environment.id));
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const transfers = transfersOf(runs);
  usePolling(runsPoll(environment.id), transfers.length > 0 ? 2 : 60);
  const [first] = transfers;
  // The page of the run shows all of it.
  if (first === undefined || (path === runHref(environment.id, first.run.id) && !isOpen)) return null;
  const words = trayWords(transfers, sendings);
  return (
    <>
      <section
        aria-label="Uploads"
        className="flex min-h-10 shrink-0 items-center gap-3 border-t border-line bg-surface px-4 py-1"
      >
        {words.isBusy ? (
          <Spinner label="Under way" />
        ) : (
          <Icon
            icon={words.isFailed ? CircleAlert : CirclePause}
            className={words.isFailed ? 'text-danger' : 'text-warn'}
          />
        )}
        <span className="min-w-0 flex-1 truncate text-body text-ink-1">
          Publish {titleOfRun(first.run)}
          <span className="text-ink-2">: {words.text}</span>
        </span>
        <Button
          size={28}
          aria-haspopup="dialog"
          onPress={() => {
            setOpen(true);
          }}
        >
          Show uploads
        </Button>
      </section>
      <Drawer isOpen={isOpen} onOpenChange={setOpen} size="large" title="Uploads">
        <div className="flex flex-col gap-6">
          {transfers.map((transfer) => (
            <TransferCard
              key={transfer.provider.id}
              run={transfer.run}
              provider={transfer.provider}
              title={`${titleOfRun(transfer.run)}, ${transfer.provider.name}`}
            />
          ))}
          {runsOf(transfers).map((run) => (
            <Log key={run.id} run={run} />
          ))}
        </div>
      </Drawer>
    </>
  );
}

function runsOf(transfers: readonly Transfer[]): readonly Transfer['run'][] {
  return [...new Map(transfers.map(({ run }) => [run.id, run])).values()];
}

function Log({ run }: { run: Transfer['run'] }) {
  const { data } = useQuery({ ...runQuery(run.environment, run.id), refetchInterval: 5000 });
  return (
    <div className="flex flex-col gap-3">
      <Link href={runHref(run.environment, run.id)}>Go on with {titleOfRun(run)}</Link>
      {data !== undefined && data.log.length > 0 && <RunLog log={data.log} />}
    </div>
  );
}
