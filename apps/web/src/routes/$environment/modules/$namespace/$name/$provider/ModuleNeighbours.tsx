import { useNavigate } from '@tanstack/react-router';
import { PageNeighbours } from '#components/list/PageNeighbours.tsx';
import { moduleHref } from '#components/places/modules.ts';
import { isModuleAt, useListedModules, type ModulePlace } from '#queries/modules.ts';

/** The way through the page of the list that led to a module; nothing where none did. */
export function ModuleNeighbours({ place }: { place: ModulePlace }) {
  const navigate = useNavigate();
  const modules = useListedModules(place);
  return (
    <PageNeighbours
      noun="module"
      rows={modules}
      isThis={isModuleAt(place)}
      go={(module) =>
        void navigate({ href: moduleHref({ environment: place.environment, ...module }), replace: true })
      }
    />
  );
}
