import { Card } from '@gatehouse/ui/card';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { PackagePlus } from 'lucide-react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { boxesHref } from '#components/places/boxes.ts';
import { nextStep, stepLabels, titleOfRun } from '#components/publish/publish-steps.ts';
import { runHref } from '#components/publish/run-href.ts';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { runsQuery } from '#queries/publish.ts';
import { MayNot } from '../BoxFrame.tsx';
import { reasonAgainstAnyPublishing } from '../may.ts';
import { BoxStep } from './BoxStep.tsx';
import { FindFile } from './FindFile.tsx';
import { publishSearch } from './publish-search.ts';
import { Stepper } from './Stepper.tsx';

export const Route = createFileRoute('/$environment/boxes/publish/')({
  validateSearch: publishSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: BeginPage,
});

/** Starts publishing, or resumes a run that was begun here or in another browser. */
function BeginPage() {
  const environment = useEnvironment();
  const search = useSearch({ from: '/$environment/boxes/publish/' });
  const navigate = useNavigate();
  const { data: runs = [] } = useQuery(runsQuery(environment.id));
  const { data: account } = useQuery(boxAccountQuery(environment.id));
  const cannotPublish = account && reasonAgainstAnyPublishing(account);
  usePageTitle('Publish a box');
  return (
    <>
      <PageHeader
        icon={PackagePlus}
        title="Publish a box"
        ancestors={[{ id: 'boxes', label: 'Boxes', href: boxesHref(environment.id) }]}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex w-full max-w-300 flex-col gap-8 p-4 wide:flex-row wide:p-6">
          <Stepper current="box" />
          <div className="flex min-w-0 max-w-200 flex-1 flex-col gap-8">
            {runs.length > 0 && (
              <Card title="Continue where you left off" isFlush>
                <ul>
                  {runs.map((run) => (
                    <li
                      key={run.id}
                      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 ps-4 pe-2 last:border-b-0"
                    >
                      <span className="min-w-0 flex-1 basis-60 text-body text-ink-1 wrap-anywhere">
                        <span className="font-medium">
                          {run.box === null ? 'No box chosen yet' : titleOfRun(run)}
                        </span>
                        <span className="block text-meta text-ink-2">
                          Next: {stepLabels[nextStep(run)]}. Last changed{' '}
                          <Time value={run.updated_time} isRelative />
                        </span>
                      </span>
                      <LinkButton size={28} href={runHref(environment.id, run.id, nextStep(run))}>
                        Continue<span className="sr-only"> with {titleOfRun(run)}</span>
                      </LinkButton>
                    </li>
                  ))}
                </ul>
              </Card>
            )}
            {cannotPublish === undefined ? (
              <>
                <FindFile environment={environment.id} />
                <BoxStep
                  key={Object.values(search).join(' ')}
                  begun={search}
                  onDone={(run) => void navigate({ href: runHref(environment.id, run.id, 'version') })}
                />
              </>
            ) : (
              <MayNot reason={cannotPublish} href={boxesHref(environment.id)} label="Go to boxes" />
            )}
          </div>
        </div>
      </div>
    </>
  );
}
