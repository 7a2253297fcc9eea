import { ErrorState } from '@gatehouse/ui/error-state';
import { LinkButton } from '@gatehouse/ui/link';
import { Building2 } from 'lucide-react';
import { boxesHref } from '#components/places/boxes.ts';

/** Shown if the environment's registry manages this outside its API. */
export function NotManaged({ environment, what }: { environment: string; what: string }) {
  return (
    <ErrorState
      icon={Building2}
      title={`This registry doesn't let the console manage ${what}`}
      why="The registry's API covers only boxes, versions and providers. This isn't an error."
      mend="Use the registry's own web pages."
      action={<LinkButton href={boxesHref(environment)}>Go to boxes</LinkButton>}
    />
  );
}
