import { RefreshCw, ShieldOff } from 'lucide-react';
import { Badge } from '../badge/Badge.tsx';
import { StatusDot } from '../badge/StatusDot.tsx';
import { Tag } from '../badge/Tag.tsx';
import { Banner } from '../banner/Banner.tsx';
import { Button } from '../button/Button.tsx';
import { EmptyState, NoMatches } from '../empty-state/EmptyState.tsx';
import { ErrorState } from '../error-state/ErrorState.tsx';
import { TargetIcon } from '../icon/domain.tsx';
import { ProgressBar } from '../progress-bar/ProgressBar.tsx';
import { SkeletonList } from '../skeleton/Skeleton.tsx';
import { Spinner } from '../spinner/Spinner.tsx';
import { toasts } from '../toast/toasts.ts';
import { Family, Specimen } from './Specimen.tsx';

/** States, progress, news, failures. */
export function Feedback() {
  return (
    <Family title="Feedback">
      <Specimen name="Badge, tag, status" isRow>
        <Badge>tcp</Badge>
        <Badge tone="accent">yours</Badge>
        <Badge tone="ok">Connected</Badge>
        <Badge tone="info">Changed</Badge>
        <Badge tone="warn">Expires in 6 min</Badge>
        <Badge tone="danger">Revoked</Badge>
        <Tag>plain</Tag>
        <Tag onRemove={() => undefined} removeLabel="Remove filter type">
          type: tcp
        </Tag>
        <StatusDot tone="ok">Healthy</StatusDot>
        <StatusDot tone="info" isBusy>
          Starting
        </StatusDot>
        <StatusDot tone="warn">Degraded</StatusDot>
        <StatusDot tone="danger">Down</StatusDot>
        <StatusDot tone="neutral">Unknown</StatusDot>
      </Specimen>
      <Specimen name="Banner">
        <Banner
          tone="info"
          title="Ada Lovelace changed this target 2 minutes ago"
          announce="none"
          actions={<Button size={28}>Compare</Button>}
        >
          Your edits are kept. Review both before you save.
        </Banner>
        <Banner tone="ok" title="Merged without a conflict" announce="none" onClose={() => undefined} />
        <Banner tone="warn" title="The access controller responds slowly" announce="none">
          The data may be 40 seconds old.
        </Banner>
        <Banner
          tone="danger"
          title="Saving failed"
          announce="none"
          actions={<Button size={28}>Retry</Button>}
        >
          The access controller refused the connection. Request 01JD4X9N2V.
        </Banner>
      </Specimen>
      <Specimen name="Toast" isRow>
        <Button onPress={() => toasts.ok({ title: 'Target db-primary created' })}>Ok</Button>
        <Button
          onPress={() =>
            toasts.info({ title: '3 targets deleted', action: { label: 'Undo', onPress: () => undefined } })
          }
        >
          With undo
        </Button>
        <Button
          onPress={() =>
            toasts.danger({
              title: "Targets couldn't be loaded",
              detail:
                "The access controller didn't respond within 10 s. Check that it is running, then reload.",
              requestId: '01JD4X9N2VQ8',
            })
          }
        >
          Danger
        </Button>
      </Specimen>
      <Specimen name="Progress">
        <ProgressBar label="Loading targets" value={0.12} valueLabel="12,000 of about 100,000" />
        <ProgressBar label="Verifying the audit trail" />
        <div className="flex items-center gap-3">
          <Spinner size={12} /> <Spinner /> <Spinner size={24} label="Loading" />
        </div>
        <SkeletonList lines={3} label="Loading targets" />
      </Specimen>
      <Specimen name="Empty, no matches, error, forbidden">
        <div className="grid gap-4 narrow:grid-cols-2">
          <div className="border border-line bg-surface">
            <EmptyState
              icon={TargetIcon}
              title="No targets in this project"
              action={<Button variant="primary">Create target</Button>}
              command="boundary targets create tcp -name db -default-port 5432 -scope-id p_1234567890"
            >
              A target is a machine or service that users open sessions to.
            </EmptyState>
          </div>
          <div className="border border-line bg-surface">
            <ErrorState
              title="Targets couldn't be loaded"
              why="The access controller didn't respond within 10 s."
              mend="Check that it is running, then try again. Nothing was changed."
              requestId="01JD4X9N2VQ8"
              action={<Button icon={RefreshCw}>Retry</Button>}
            />
          </div>
          <div className="border border-line bg-surface">
            <NoMatches
              title='No targets match "db-replica"'
              action={<Button size={28}>Clear search</Button>}
            />
          </div>
          <div className="border border-line bg-surface">
            <ErrorState
              icon={ShieldOff}
              title="You can't see this target"
              why="Your role in project web doesn't let you read targets."
            />
          </div>
        </div>
      </Specimen>
    </Family>
  );
}
