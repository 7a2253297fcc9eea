import { useNavigate } from '@tanstack/react-router';
import { MountEngine } from '#components/form/MountEngine.tsx';
import { folderHref } from '#components/places/secrets.ts';
import { useMountSecretEngine } from '#queries/secrets.ts';

/** Mounts a key-value engine, and goes to it. */
export function NewEngine({
  environment,
  taken,
  onClose,
}: {
  environment: string;
  /** The paths of the engines that you can see. */
  taken: readonly string[];
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const mounting = useMountSecretEngine(environment);
  return (
    <MountEngine
      title="New engine"
      about="A key-value engine that keeps versions. Policies on its path decide who may use it."
      suggested="secret"
      plugins={['kv']}
      mounting={mounting}
      taken={taken}
      onClose={(mounted) => {
        if (mounted === undefined) onClose();
        else void navigate({ href: folderHref({ environment, mount: mounted, path: '' }) });
      }}
    />
  );
}
