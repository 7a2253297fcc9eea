import { useNavigate } from '@tanstack/react-router';
import { beginSending } from '#components/publish/begin-sending.ts';
import { runHref } from '#components/publish/run-href.ts';
import { moveImage } from '#lib/uploads/picked-files.ts';
import { usePublishWrites } from '#queries/publish.ts';
import type { FoundUpload } from './ImageFile.tsx';

/**
 * Resumes an earlier upload, begun here or in another browser, with a chosen file. Only the rest is sent.
 * @returns a function of the file's key; it throws ApiError
 */
export function useGoOnThere(environment: string): (key: string, found: FoundUpload) => Promise<void> {
  const writes = usePublishWrites(environment);
  const navigate = useNavigate();
  return async (key, { run, provider }) => {
    moveImage(key, provider);
    await beginSending(writes, run, provider);
    await navigate({ href: runHref(environment, run, 'images') });
  };
}
