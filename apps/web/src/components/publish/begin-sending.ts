import type { Upload } from '@gatehouse/api-types/console/publish-uploads';
import { pickedImage } from '#lib/uploads/picked-files.ts';
import { startSending } from '#lib/uploads/sending.ts';
import type { PublishWrites } from '#queries/publish.ts';

/**
 * Begins to send the file picked for a provider, or continues from the console's offset.
 * @returns the upload; undefined if no file was picked
 * @throws ApiError
 */
export async function beginSending(
  writes: PublishWrites,
  run: string,
  provider: string,
): Promise<Upload | undefined> {
  const image = pickedImage(provider);
  if (image?.fingerprint === undefined) return undefined;
  const { file, fingerprint } = image;
  const upload = await writes.beginUpload(run, provider, {
    name: file.name,
    size: file.size,
    last_modified: file.lastModified,
    fingerprint,
  });
  if (upload.state === 'receiving') {
    await startSending({
      id: upload.id,
      path: upload.path,
      file,
      received: upload.received,
      // If the console is unreachable, the next poll reads it.
      onChanged: () => void writes.reload(run).catch(() => undefined),
    });
  }
  return upload;
}
