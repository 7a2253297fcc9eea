import { pathProblem } from '@gatehouse/api-types/console/path-problem';
import { Button } from '@gatehouse/ui/button';
import { TextField } from '@gatehouse/ui/text-field';
import { EndsNote } from '@gatehouse/ui/visible-ends';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { folderHref, fullName, secretHref } from '#components/places/secrets.ts';
import { mountsQuery, type SecretPlace } from '#queries/secrets.ts';
import { placeTyped } from './typed-place.ts';

/** Opens a secret by path, or a folder if it ends with a slash: names that can't be listed may still be readable. */
export function OpenPath({
  environment,
  below,
}: {
  environment: string;
  /** The path is relative to this folder; without it, the path begins with the engine. */
  below?: SecretPlace;
}) {
  const navigate = useNavigate();
  const mounts = useQuery({ ...mountsQuery(environment), enabled: below === undefined });
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const open = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { isFolder, ...typed } = placeTyped(text, below, mounts.data?.map(({ path }) => path) ?? []);
    const place = { environment, ...typed };
    const found =
      place.mount === '' || (place.path === '' && !isFolder)
        ? 'Enter the path of a secret, or of a folder with a trailing slash.'
        : pathProblem(fullName(place));
    setProblem(found);
    if (found === undefined) void navigate({ href: isFolder ? folderHref(place) : secretHref(place) });
  };
  return (
    <form onSubmit={open} className="flex w-full max-w-100 items-end gap-2 text-start">
      <div className="min-w-0 flex-1">
        <TextField
          label="Open a path"
          placeholder={below === undefined ? 'secret/app/database' : 'app/database'}
          isMono
          value={text}
          onChange={(next) => {
            setText(next);
            setProblem(undefined);
          }}
          {...(problem !== undefined && { error: problem })}
        />
        <EndsNote text={text} isPath />
      </div>
      <Button type="submit">Open</Button>
    </form>
  );
}
