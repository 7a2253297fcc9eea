import { useInfiniteQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { isApiError } from '#lib/api-error.ts';
import { counted } from '#lib/counted.ts';
import { folderQuery } from '#queries/secrets.ts';

/** What is at the top of an engine. */
export function Contents({ mount }: { mount: string }) {
  const environment = useEnvironment().id;
  const { data, error } = useInfiniteQuery(folderQuery({ environment, mount, path: '' }));
  if (isApiError(error, 'forbidden')) return "You can't list them";
  const [first] = data?.pages ?? [];
  if (first === undefined) return null;
  const { items, total } = first;
  if (total === null) return `More than ${counted(items.length, 'name')}`;
  if (total === 0) return 'Empty';
  if (total > items.length) return counted(total, 'name');
  const folders = items.filter(({ folder }) => folder).length;
  return [
    ...(total > folders ? [counted(total - folders, 'secret')] : []),
    ...(folders > 0 ? [counted(folders, 'folder')] : []),
  ].join(', ');
}
