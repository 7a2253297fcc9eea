import * as at from '@gatehouse/api-types/console/addresses/replication';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { Suspense, useState } from 'react';
import { filterHref, replicationHref } from '#components/places/replication.ts';
import { sentencesOf } from '#lib/error-words.ts';
import { useReplicationWrites } from '#queries/replication.ts';
import { reasonAgainstComparing, reasonOfPerson } from '../-actions/possible.ts';
import { clusterAt, type Cluster } from '../-clusters/cluster.ts';
import { comparePair } from '../-compare/compare-pair.ts';
import type { Pair, Step } from './step.ts';

const ConfirmAct = lazy(async () => ({ default: (await import('../-actions/ConfirmAct.tsx')).ConfirmAct }));
const FollowAct = lazy(async () => ({ default: (await import('./FollowAct.tsx')).FollowAct }));
const PromoteDialog = lazy(async () => ({
  default: (await import('../-actions/PromoteDialog.tsx')).PromoteDialog,
}));

/** What a step needs to run. */
export interface StepContext {
  clusters: readonly Cluster[];
  /** Reads every status again. */
  onVerify: () => void;
  onCompared: (pair: Pair, isEqual: boolean) => void;
  onConfirm: (step: string) => void;
  /** Receives the server's warnings about a step. */
  onSaid: (step: string, words: readonly string[]) => void;
}

type StepActionProps = StepContext & { step: Step };

/** The control that runs the next step, depending on its kind. */
export function StepAction(props: StepActionProps) {
  const { step, onVerify, onConfirm } = props;
  switch (step.act.kind) {
    case 'compare':
      return <CompareAction {...props} />;
    case 'confirm':
      return (
        <Button
          variant="primary"
          onPress={() => {
            onConfirm(step.id);
          }}
        >
          I have done this
        </Button>
      );
    case 'read-lost':
      return (
        <div className="flex flex-wrap gap-2">
          <LinkButton href={replicationHref(step.act.at, 'lost-writes')}>Show the lost writes</LinkButton>
          <Button
            variant="primary"
            onPress={() => {
              onConfirm(step.id);
            }}
          >
            I have checked the lost writes
          </Button>
        </div>
      );
    case 'look':
    case 'elsewhere':
      return (
        <div className="flex flex-wrap gap-2">
          <Button onPress={onVerify}>Verify again</Button>
          {step.filtered !== undefined && (
            <LinkButton href={filterHref(step.filtered.primary, step.filtered.secondaryId)}>
              Edit paths filter
            </LinkButton>
          )}
        </div>
      );
    default:
      return <ClusterAction {...props} />;
  }
}

/** A step that changes a cluster; it asks for the cluster's name first. */
function ClusterAction({ step, clusters, onVerify, onSaid }: StepActionProps) {
  // A snapshot of the act: filters are read again while the dialog is open.
  const [asked, setAsked] = useState<Step['act']>();
  const { act, state, title, data } = step;
  const writes = useReplicationWrites();
  const cluster = clusterAt(clusters, 'at' in act ? act.at : undefined);
  if (cluster === undefined) return null;
  const right =
    act.kind === 'demote' || act.kind === 'promote' || act.kind === 'update-primary'
      ? reasonOfPerson(cluster, act.kind)
      : undefined;
  const close = (): void => {
    setAsked(undefined);
    onVerify();
  };
  const { place } = cluster;
  const onDone = (words: readonly string[]): void => {
    onSaid(step.id, words);
  };
  const common = { title: `${title}?`, confirmLabel: title, cluster: place, onDone, onClose: close };
  const impacts = [{ kind: 'worth-knowing' as const, text: data }];
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {state === 'ready' ? (
          <Button
            variant="primary"
            disabledReason={right}
            onPress={() => {
              setAsked(act);
            }}
          >
            {title}
          </Button>
        ) : (
          <Button onPress={onVerify}>Verify again</Button>
        )}
      </div>
      {asked !== undefined && (
        <Suspense fallback={null}>
          {act.kind === 'demote' && (
            <ConfirmAct
              {...common}
              harm={at.replication.demote.harm}
              impacts={impacts}
              done={`${place.name} demoted`}
              act={() => writes.demote(act.at)}
            />
          )}
          {act.kind === 'promote' && cluster.mode === 'secondary' && (
            <PromoteDialog
              cluster={cluster}
              clusters={clusters}
              mayForce={act.mayForce}
              onDone={onDone}
              onClose={close}
            />
          )}
          {asked.kind === 'save-filter' && (
            <ConfirmAct
              {...common}
              harm={at.replicationSecondaries.saveFilter.harm}
              impacts={impacts}
              done="Paths filter saved"
              act={async () => {
                const { at: primary, secondaryId, revision, filter } = asked;
                if (revision !== undefined)
                  await writes.saveFilter(primary, secondaryId, revision, {
                    mode: filter.mode,
                    paths: [...filter.paths],
                  });
                return undefined;
              }}
            />
          )}
          {act.kind === 'update-primary' && <FollowAct {...common} act={act} impacts={impacts} />}
        </Suspense>
      )}
    </>
  );
}

/** Compares pairs of clusters one by one, and lists those that differ or can't be compared. */
function CompareAction({ step, clusters, onCompared }: StepActionProps) {
  const [isPending, setPending] = useState(false);
  const [found, setFound] = useState<readonly string[]>([]);
  const { act } = step;
  if (act.kind !== 'compare') return null;
  const nameOf = (id: string): string => clusterAt(clusters, id)?.place.name ?? id;
  const compare = async (): Promise<void> => {
    setPending(true);
    setFound([]);
    for (const pair of act.pairs) {
      try {
        const { isEqual, words } = await comparePair(pair.primary, pair.secondary, nameOf);
        onCompared(pair, isEqual);
        if (!isEqual) setFound((before) => [...before, words]);
      } catch (error) {
        setFound((before) => [...before, `${nameOf(pair.secondary)}: ${sentencesOf(error)}`]);
      }
    }
    setPending(false);
  };
  return (
    <div className="flex flex-col items-start gap-2">
      {found.length > 0 && (
        <Banner tone="danger" title="Different or not compared">
          <ul className="flex flex-col gap-1">
            {found.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </Banner>
      )}
      <Button
        variant="primary"
        isPending={isPending}
        disabledReason={
          step.reason ??
          reasonAgainstComparing(
            clusters,
            act.pairs.flatMap(({ primary, secondary }) => [primary, secondary]),
          )
        }
        onPress={() => void compare()}
      >
        Compare
      </Button>
    </div>
  );
}
