import type { Environment } from '@gatehouse/api-types/console/session';
import { Banner } from '@gatehouse/ui/banner';
import { useEnvironment } from './use-environment.ts';

/** Says on a secondary that changes are made at its primary. */
export function SecondaryNotice({ primary }: { primary: Environment | undefined }) {
  const { name } = useEnvironment();
  return (
    <div className="border-b border-line bg-surface px-4 py-2">
      <Banner
        tone="warn"
        announce="none"
        title={`What you change here is changed in ${primary?.name ?? 'its primary cluster'}`}
      >
        {name}&apos;s secrets server is a secondary{primary && ` of ${primary.name}`}. It passes changes on,
        and all replicas get them. Only local engines are its own.
      </Banner>
    </div>
  );
}
