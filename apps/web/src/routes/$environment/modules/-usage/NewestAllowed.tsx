import { newestModuleFirst } from '@gatehouse/api-types/console/module-values';
import type { Module } from '@gatehouse/api-types/console/modules';
import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { moduleHref } from '#components/places/modules.ts';
import { moduleVersionQuery } from '#queries/modules.ts';
import { breakingWords } from '../-upgrade/breaking-words.ts';
import { compareContent } from '../-upgrade/compare-content.ts';
import { allowsNewer, type ConstraintKind } from './version-constraint.ts';

/** Warns if the newest version that a constraint allows breaks blocks that were written for this version. */
export function NewestAllowed({
  environment,
  module,
  version,
  kind,
  path = '',
}: {
  environment: string;
  module: Module;
  version: string;
  kind: ConstraintKind;
  /** The used folder; empty for the root module. */
  path?: string | undefined;
}) {
  const { namespace, name, provider } = module;
  const place = { environment, namespace, name, provider };
  const newest = newestModuleFirst(module.versions).find((one) =>
    allowsNewer(version, kind, one.version),
  )?.version;
  const isOn = newest !== undefined;
  const from = useQuery({ ...moduleVersionQuery(place, version), enabled: isOn }).data;
  const to = useQuery({ ...moduleVersionQuery(place, newest ?? ''), enabled: isOn }).data;
  const compared = isOn && from && to ? compareContent(from.content, to.content) : undefined;
  // A removed submodule has its finding under its own path, too.
  const words = compared
    ? breakingWords({ folders: compared.folders.filter((folder) => folder.path === path) })
    : '';
  if (words === '') return null;
  return (
    <div className="pt-3">
      <Banner
        tone="warn"
        title={`This also allows ${String(newest)}, which breaks this block`}
        actions={
          <LinkButton href={moduleHref(place, { version: newest, compare: version })} size={28}>
            See what changes
          </LinkButton>
        }
      >
        Compared with {version}: {words}. Clients use the newest version that is allowed.
      </Banner>
    </div>
  );
}
