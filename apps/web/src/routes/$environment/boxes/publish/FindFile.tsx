import { useState } from 'react';
import { FilePicker } from '#components/form/FilePicker.tsx';
import { forgetImage, pickImage, usePickedImages } from '#lib/uploads/picked-files.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { ImageFile, type FoundUpload } from './ImageFile.tsx';
import { broughtKey } from './provider-drafts.ts';
import { useGoOnThere } from './use-go-on-there.ts';
import { useStep } from './use-step.ts';

const noUploads: readonly FoundUpload[] = [];

/**
 * Starts with a file: finds its unfinished upload, or the version that contains it. A new file is kept for the
 * providers step.
 */
export function FindFile({ environment }: { environment: string }) {
  const writes = usePublishWrites(environment);
  const image = usePickedImages().find(({ key }) => key === broughtKey);
  const [found, setFound] = useState<readonly FoundUpload[]>();
  const [problem, setProblem] = useState<string>();
  const step = useStep();
  const goOnThere = useGoOnThere(environment);

  const pick = async (file: File): Promise<void> => {
    setFound(undefined);
    setProblem(undefined);
    try {
      const fingerprint = await pickImage(broughtKey, file);
      setFound(await writes.findUpload(file.size, fingerprint).catch(() => undefined));
    } catch {
      setProblem(`${file.name} can't be read. Choose it again.`);
    }
  };
  if (image === undefined) {
    return (
      <FilePicker
        label="Image to start with"
        buttonLabel="Start with a file"
        error={problem}
        onPick={([file]) => {
          if (file !== undefined) void pick(file);
        }}
      >
        or drop an image here. Interrupted uploads resume.
      </FilePicker>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <ImageFile
        environment={environment}
        run=""
        image={image}
        found={found ?? noUploads}
        failure={step.failure}
        onGoOnThere={(there) => void step.run(() => goOnThere(broughtKey, there))}
        onRemove={() => {
          forgetImage(broughtKey);
          setFound(undefined);
        }}
      />
      {found?.length === 0 && image.failure === undefined && (
        <p role="status" className="text-body text-ink-2">
          You haven't published this file in this environment yet. To continue, choose a box for it below.
        </p>
      )}
    </div>
  );
}
