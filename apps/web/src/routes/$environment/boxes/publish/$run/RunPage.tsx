import type { PublishRun, PublishStep } from '@gatehouse/api-types/console/publish';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { Skeleton } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { PackagePlus } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { StepPlace } from '#components/layout/StepPlace.tsx';
import { boxesHref, publishHref } from '#components/places/boxes.ts';
import {
  nextStep,
  reasonAgainst,
  stepLabels,
  titleOfRun,
  type WizardStep,
  wizardSteps,
} from '#components/publish/publish-steps.ts';
import { runHref } from '#components/publish/run-href.ts';
import { RunLog } from '#components/publish/RunLog.tsx';
import { isUnderWay } from '#components/publish/transfer-words.ts';
import { usePolling } from '#lib/polling.ts';
import { queryClient } from '#lib/query-client.ts';
import { searchOf, words } from '#lib/search.ts';
import { runQuery } from '#queries/publish.ts';
import { Stepper } from '../Stepper.tsx';
import { VersionStep } from '../VersionStep.tsx';

export const Route = createFileRoute('/$environment/boxes/publish/$run/')({
  validateSearch: searchOf({ step: words }).parse,
  loader: ({ params: { environment, run } }) => {
    void queryClient.prefetchQuery(runQuery(environment, run));
  },
  component: RunPage,
});

const outcomes = {
  created: 'was created',
  used: 'already existed, and is used unchanged',
  updated: 'already existed, and was updated',
};

// A run usually starts with its version; later steps load while you work on earlier ones.
const BoxStep = lazy(async () => ({ default: (await import('../BoxStep.tsx')).BoxStep }));
const loadProviders = () => import('../ProvidersStep.tsx');
const loadImages = () => import('../ImagesStep.tsx');
const loadReview = () => import('../ReviewStep.tsx');
const loadSummary = () => import('../SummaryStep.tsx');
const ProvidersStep = lazy(async () => ({ default: (await loadProviders()).ProvidersStep }));
const ImagesStep = lazy(async () => ({ default: (await loadImages()).ImagesStep }));
const ReviewStep = lazy(async () => ({ default: (await loadReview()).ReviewStep }));
const AbandonQuestion = lazy(async () => ({
  default: (await import('./AbandonQuestion.tsx')).AbandonQuestion,
}));
const SummaryStep = lazy(async () => ({ default: (await loadSummary()).SummaryStep }));

/** A publishing run at one of its steps. */
function RunPage() {
  const environment = useEnvironment();
  const { run: id } = useParams({ from: '/$environment/boxes/publish/$run/' });
  const { step: wanted } = useSearch({ from: '/$environment/boxes/publish/$run/' });
  const query = useQuery(runQuery(environment.id, id));
  const run = query.data;
  const isMoving = run?.providers.some(({ upload }) => upload !== null && isUnderWay(upload)) === true;
  usePolling(runQuery(environment.id, id), isMoving ? 1 : 15, run?.state === 'open');
  const title = run === undefined ? 'Publish a box' : `Publish ${titleOfRun(run)}`;
  usePageTitle(title);
  return (
    <>
      <PageHeader
        icon={PackagePlus}
        title={title}
        ancestors={[
          { id: 'boxes', label: 'Boxes', href: boxesHref(environment.id) },
          { id: 'publish', label: 'Publish', href: publishHref(environment.id) },
        ]}
        actions={run?.state === 'open' && <Abandon run={run} />}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {run !== undefined ? (
          <Wizard run={run} wanted={wizardSteps.find((step) => step === wanted)} />
        ) : query.isError ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div className="mx-auto w-full max-w-300 p-6">
            <Skeleton />
          </div>
        )}
      </div>
    </>
  );
}

function Wizard({ run, wanted }: { run: PublishRun; wanted: WizardStep | undefined }) {
  const navigate = useNavigate();
  const step =
    run.state !== 'open' || wanted === undefined || reasonAgainst(run, wanted) !== undefined
      ? nextStep(run)
      : wanted;
  const hrefOf = (to: WizardStep): string => runHref(run.environment, run.id, to);
  useEffect(() => {
    for (const load of [loadProviders, loadImages, loadReview, loadSummary]) load().catch(() => undefined);
  }, []);
  const isOpenEnded = wanted === undefined;
  useEffect(() => {
    // Puts the step into the address, so that the page stays on it when a step is completed in the background.
    if (isOpenEnded) void navigate({ href: runHref(run.environment, run.id, step), replace: true });
  }, [isOpenEnded, navigate, run.environment, run.id, step]);
  const goOn = (next: WizardStep) => () => void navigate({ href: hrefOf(next) });
  const place =
    run.box === null
      ? undefined
      : { environment: run.environment, username: run.box.username, name: run.box.name };
  return (
    <div className="mx-auto flex w-full max-w-300 flex-col gap-8 p-4 wide:flex-row wide:p-6">
      <Stepper run={run} current={step} {...(run.state === 'open' && { hrefOf })} />
      <StepPlace label={stepLabels[step]} className="flex min-w-0 max-w-200 flex-1 flex-col gap-8">
        {step === 'summary' ? (
          <Suspense fallback={<Skeleton />}>
            <SummaryStep run={run} place={place} />
          </Suspense>
        ) : step === 'box' || place === undefined ? (
          run.box?.step.state === 'done' ? (
            <StepDone
              title={`The box ${titleOfRun({ ...run, version: null })}`}
              step={run.box.step}
              nextHref={hrefOf('version')}
            />
          ) : (
            <Suspense fallback={<Skeleton />}>
              <BoxStep run={run} onDone={goOn('version')} />
            </Suspense>
          )
        ) : step === 'version' ? (
          run.version?.step.state === 'done' ? (
            <StepDone
              title={`Version ${run.version.version}`}
              step={run.version.step}
              nextHref={hrefOf('providers')}
            />
          ) : (
            <VersionStep run={run} place={place} onDone={goOn('providers')} />
          )
        ) : step === 'providers' ? (
          <Suspense fallback={<Skeleton />}>
            <ProvidersStep
              run={run}
              place={place}
              onDone={({ providers }) => {
                const hasFiles = providers.some(({ source }) => source.kind === 'image');
                goOn(hasFiles ? 'images' : 'review')();
              }}
            />
          </Suspense>
        ) : step === 'images' ? (
          <Suspense fallback={<Skeleton />}>
            <ImagesStep run={run} />
          </Suspense>
        ) : (
          <Suspense fallback={<Skeleton />}>
            <ReviewStep run={run} place={place} onDone={goOn('summary')} />
          </Suspense>
        )}
        {run.log.length > 0 && <RunLog log={run.log} />}
      </StepPlace>
    </div>
  );
}

function Abandon({ run }: { run: PublishRun }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size={28}
        onPress={() => {
          setOpen(true);
        }}
      >
        Abandon
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <AbandonQuestion
            run={run}
            onClose={() => {
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** A completed step, which can't be repeated: shows its result. */
function StepDone({ title, step, nextHref }: { title: string; step: PublishStep; nextHref: string }) {
  return (
    <Banner
      tone="ok"
      announce="none"
      title={`${title} ${outcomes[step.outcome ?? 'used']}`}
      actions={
        <LinkButton size={28} href={nextHref}>
          Continue
        </LinkButton>
      }
    >
      It is in the registry, so this step is complete. Edit it on its own page, or abandon this run and start
      another.
    </Banner>
  );
}
