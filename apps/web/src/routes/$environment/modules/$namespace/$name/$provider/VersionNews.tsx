import type { Deprecation, Module, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { Banner } from '@gatehouse/ui/banner';
import { ExternalLink, Link, LinkButton } from '@gatehouse/ui/link';
import { Time } from '#components/environment/Time.tsx';
import { moduleHref } from '#components/places/modules.ts';
import { counted } from '#lib/counted.ts';
import type { ModulePlace } from '#queries/modules.ts';
import { replacementHref } from '#routes/$environment/modules/deprecation-words.ts';

/** Warns that a version is deprecated, revoked, outdated or unread. */
export function VersionNews({
  place,
  module,
  version,
}: {
  place: ModulePlace;
  module: Module;
  version: ModuleVersion;
}) {
  const { deprecation, content } = version;
  const { latest } = module;
  const at = module.versions.findIndex((choice) => choice.version === version.version);
  const isOld =
    latest !== null && module.versions.slice(0, Math.max(at, 0)).some((newer) => newer.version === latest);
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {deprecation && (
        <DeprecationBanner
          place={place}
          module={module}
          version={version.version}
          deprecation={deprecation}
        />
      )}
      {isOld && deprecation === null && (
        <Banner
          tone="info"
          announce="none"
          title={`${latest} is the latest version`}
          actions={
            <>
              <LinkButton href={moduleHref(place, { version: latest, compare: version.version })} size={28}>
                See what changed
              </LinkButton>
              <LinkButton href={moduleHref(place)} size={28}>
                Show {latest}
              </LinkButton>
            </>
          }
        />
      )}
      {content.problems.length > 0 && (
        <Banner
          tone="warn"
          announce="none"
          title={`${counted(content.problems.length, 'file')} couldn't be read`}
        >
          Their declarations are missing below. Clients fetch this version unchanged.
          <ul aria-label="Files that couldn't be read" className="mt-1 max-h-40 overflow-y-auto">
            {content.problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <span className="font-mono text-meta text-ink-1">{path}</span>: {message}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </div>
  );
}

function DeprecationBanner({
  place,
  module,
  version,
  deprecation: { state, message, replacement, link, time },
}: {
  place: ModulePlace;
  module: Module;
  version: string;
  deprecation: Deprecation;
}) {
  const versions = module.versions.map((choice) => choice.version);
  const href = replacementHref(place, replacement, versions);
  const isVersion = versions.includes(replacement);
  return (
    <Banner
      tone={state === 'revoked' ? 'danger' : 'warn'}
      announce="none"
      actions={
        isVersion && (
          <LinkButton href={moduleHref(place, { version: replacement, compare: version })} size={28}>
            See what changes
          </LinkButton>
        )
      }
      title={
        state === 'revoked'
          ? `Version ${version} was revoked. Don't use it`
          : `Version ${version} is deprecated`
      }
    >
      {message !== '' && <p>{message}</p>}
      {state === 'revoked' && (
        <p>Clients that request this version can still fetch it. A revoked version is never the latest.</p>
      )}
      <p className="flex flex-wrap gap-x-4">
        {replacement !== '' && (
          <span>
            Use {href === undefined ? replacement : <Link href={href}>{replacement}</Link>} instead.
          </span>
        )}
        {/^https?:\/\//.test(link) && <ExternalLink href={link}>Read more</ExternalLink>}
        {time !== '' && (
          <span>
            Since <Time value={time} />
          </span>
        )}
      </p>
    </Banner>
  );
}
