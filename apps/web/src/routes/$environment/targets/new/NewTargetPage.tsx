import { fieldsOfTarget, type Target } from '@gatehouse/api-types/console/targets';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { codeSetUp } from '#components/form/as-code.ts';
import type { Choice } from '#components/form/record-form.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { WithProjects } from '#components/record/WithProjects.tsx';
import { targetQuery } from '#queries/access.ts';
import { shownTargets } from '../shown-targets.ts';
import { createTargetAsCode } from '../target-as-code.ts';
import {
  blankTarget,
  knownType,
  newTargetBody,
  newTargetForm,
  type NewTargetFields,
} from '../target-form.ts';
import { useTargetPlaces } from '../use-target-places.ts';

const route = getRouteApi('/$environment/targets/new/');

/** Creates a target, or a copy of one. */
export function NewTargetPage() {
  const { from, scope } = route.useSearch();
  const environment = useEnvironment();
  const { ancestors, listHref, hrefOf } = useTargetPlaces({});
  const origin = useQuery({ ...targetQuery(environment.id, from ?? ''), enabled: from !== undefined });
  const title = from === undefined ? 'New target' : 'Clone target';
  return (
    <WithProjects
      title={title}
      collection="targets"
      many="targets"
      ancestors={ancestors}
      listHref={listHref}
      queries={from === undefined ? [] : [origin]}
    >
      {(projects) => (
        <NewRecord
          key={from ?? ''}
          kind={shownTargets}
          title={title}
          ancestors={ancestors}
          blank={beginning(origin.data, projects, scope)}
          formKey={({ type }) => type}
          formOf={({ type }) => newTargetForm(type, projects)}
          bodyOf={newTargetBody}
          codeOf={(values) => ({
            forms: createTargetAsCode(newTargetBody(values)),
            setUp: codeSetUp.access,
          })}
          hrefOf={hrefOf}
          cancelHref={listHref}
        />
      )}
    </WithProjects>
  );
}

/** The initial values: a copy of the target to clone, else blank, in the project you came from. */
function beginning(
  origin: Target | undefined,
  projects: readonly Choice[],
  scope: string | undefined,
): NewTargetFields {
  const wanted = projects.find(({ value }) => value === (origin?.scope_id ?? scope));
  const project = (wanted ?? (projects.length === 1 ? projects[0] : undefined))?.value ?? '';
  const type = knownType(origin?.type ?? 'tcp') ?? 'tcp';
  const blank = blankTarget(type, project);
  if (!origin) return blank;
  const fields = fieldsOfTarget(origin);
  return {
    ...blank,
    ...fields,
    name: `${fields.name}-copy`,
    attributes: { ...blank.attributes, ...fields.attributes },
  };
}
