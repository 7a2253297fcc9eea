import {
  fieldsOfTarget,
  target as targetSchema,
  type Target,
  type TargetFields,
} from '@gatehouse/api-types/console/targets';
import { Badge } from '@gatehouse/ui/badge';
import { buttonClass } from '@gatehouse/ui/button';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { useMemo, useState } from 'react';
import { recreated } from '#components/conflict/recreate-record.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { AsCode } from '#components/form/AsCode.tsx';
import { partialUpdate } from '#components/form/partial-update.ts';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { usePolling } from '#lib/polling.ts';
import { forgetTargets, targetPoll, targetQuery, useCreateTarget, useUpdateTarget } from '#queries/access.ts';
import { reasonAgainst } from '../../may.ts';
import { updateTargetAsCode } from '../../target-as-code.ts';
import { knownType, newTargetBody, targetForm } from '../../target-form.ts';

const route = getRouteApi('/$environment/targets/$id/edit/');

export function EditTargetPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const environment = useEnvironment();
  const router = useRouter();
  const query = useQuery(targetQuery(environment.id, id));
  // The edit begins with the first target that is loaded; what comes later is what others did.
  const [first, setFirst] = useState<Target>();
  if (first === undefined && query.data !== undefined && !query.isStale) setFirst(query.data);
  const params = { environment: environment.id, id };
  usePageTitle(first === undefined ? 'Edit target' : `Edit ${first.name}`);
  const cannotEdit = first === undefined ? undefined : reasonAgainst(first, 'update');
  return (
    <>
      <PageHeader
        icon={PencilLine}
        title={first === undefined ? 'Edit target' : `Edit ${first.name}`}
        ancestors={[
          {
            id: 'targets',
            label: 'Targets',
            href: router.buildLocation({ to: '/$environment/targets', params, search }).href,
          },
        ]}
        meta={first && <Badge>{first.type}</Badge>}
      />
      {first && cannotEdit === undefined && (
        <EditTarget key={first.id} first={first} latest={query.data ?? first} />
      )}
      {cannotEdit !== undefined && (
        <div className="p-6 text-body text-ink-2">
          <p className="pb-3">{cannotEdit}</p>
          <Link to="/$environment/targets/$id" params={params} search={search} className={buttonClass()}>
            Go to the target
          </Link>
        </div>
      )}
      {!first && !query.isError && (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading the target" lines={10} />
        </div>
      )}
      {!first && query.isError && (
        <Failure
          error={query.error}
          onRetry={() => void query.refetch()}
          action={
            <Link to="/$environment/targets" params={params} search={search} className={buttonClass()}>
              Go to the list
            </Link>
          }
        />
      )}
    </>
  );
}

/** A target as the form and the merge see it. The controller keeps no name of who changed it. */
function storedOf(target: Target) {
  return {
    record: fieldsOfTarget(target),
    revision: target.revision,
    changedBy: null,
    changedAt: target.updated_time,
  };
}

function EditTarget({ first, latest }: { first: Target; latest: Target }) {
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id } = first;
  const params = { environment: environment.id, id };
  const update = useUpdateTarget(environment.id, id);
  const create = useCreateTarget(environment.id, recreated);
  const hasHostSources = first.host_source_ids.length > 0 && first.address === '';
  const spec = useMemo(() => targetForm(first.type, hasHostSources), [first.type, hasHostSources]);
  usePolling(targetPoll(environment.id, id), 15);

  const leave = (): void => void navigate({ to: '/$environment/targets/$id', params, search });
  const form = useRecordForm<TargetFields>({
    spec,
    stored: storedOf(first),
    latest: storedOf(latest),
    readRecord: (current) => fieldsOfTarget(targetSchema.parse(current)),
    write: async (values, stored, guard) => {
      const changes = partialUpdate(spec.policy, stored.record, values);
      if (Object.keys(changes).length === 0) return stored;
      const saved = await update.mutateAsync({ ...guard, changes });
      toasts.ok({ title: `Target ${saved.name} saved` });
      return storedOf(saved);
    },
    onSaved: leave,
    reread: async () => {
      try {
        return storedOf(await queryClient.fetchQuery({ ...targetQuery(environment.id, id), staleTime: 0 }));
      } catch (error) {
        if (isApiError(error, 'not-found')) return undefined;
        throw error;
      }
    },
  });

  const recreate = (): void => {
    const type = knownType(first.type);
    if (!type) return;
    create.mutateAsync(newTargetBody({ ...form.values, scope_id: first.scope_id, type })).then(
      (made) => {
        forgetTargets(queryClient, environment.id, [id]);
        toasts.ok({ title: `Target ${made.name} recreated`, detail: `Its id is ${made.id} now.` });
        form.release();
        void navigate({
          to: '/$environment/targets/$id',
          params: { ...params, id: made.id },
          search,
          replace: true,
        });
      },
      (error: unknown) => {
        const { title, detail, requestId } = wordsOf(error);
        toasts.danger({
          title: `Not recreated: ${title}`,
          detail,
          ...(requestId !== undefined && { requestId }),
        });
      },
    );
  };

  const isGone = form.conflict.kind === 'deleted';
  return (
    <RecordFormView
      form={form}
      saveLabel="Save target"
      onCancel={
        isGone
          ? () => {
              form.release();
              forgetTargets(queryClient, environment.id, [id]);
              void navigate({ to: '/$environment/targets', params, search, replace: true });
            }
          : leave
      }
      recreate={{
        note: 'A target made anew has another id, and its sources have to be added again.',
        isPending: create.isPending,
        run: recreate,
      }}
    >
      <AsCode
        code={updateTargetAsCode(
          { ...latest, revision: form.stored.revision ?? latest.revision },
          partialUpdate(spec.policy, form.stored.record, form.values),
        )}
        note={
          form.changes.length === 0
            ? 'Change something, and this is how to do the same without the console.'
            : 'The same changes without the console. Set BOUNDARY_ADDR and BOUNDARY_TOKEN to the address and to your token.'
        }
      />
    </RecordFormView>
  );
}
