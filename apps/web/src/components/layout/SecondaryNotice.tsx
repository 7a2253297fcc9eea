import { Banner } from '@gatehouse/ui/banner';
import { useEnvironment } from '../environment/use-environment.ts';
import { useReplicas } from '../environment/use-replicas.ts';

/** Says on screens of replicated records that a secondary passes changes on to its primary. */
export function SecondaryNotice() {
  const { name } = useEnvironment();
  const { isSecondary, primary } = useReplicas();
  return isSecondary ? (
    <div className="border-b border-line bg-surface px-4 py-2">
      <Banner
        tone="warn"
        announce="none"
        title={`Changes here are made in ${primary?.name ?? 'the primary cluster'} and all its replicas`}
      >
        {name}&apos;s secrets server is a secondary. Changes to its local engines stay there.
      </Banner>
    </div>
  ) : null;
}
