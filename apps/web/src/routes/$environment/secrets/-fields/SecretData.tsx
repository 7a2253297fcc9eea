import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { Time } from '#components/environment/Time.tsx';
import { secretHref } from '#components/places/secrets.ts';
import { TargetsReading } from '#components/source/TargetsReading.tsx';
import { secretActivityQuery } from '#queries/secret-versions.ts';
import { timeOfWrite, versionAuthors } from '../-versions/version-rows.ts';
import type { SecretTabProps } from '../secret-tab-props.ts';
import { FieldsCard } from './FieldsCard.tsx';
import { IsThisIt } from './IsThisIt.tsx';
import { NoData } from './NoData.tsx';
import { OtherEnvironments } from './OtherEnvironments.tsx';
import { fieldsIn } from './structure.ts';

/** A secret's masked fields, with details of the version beside them. */
export function SecretData({ place, secret }: SecretTabProps) {
  const { version, may } = secret;
  const fields = fieldsIn(version?.structure ?? null);
  const isOlder = version !== null && String(version.version) !== secret.revision;
  const { data: entries = [] } = useQuery({
    ...secretActivityQuery(place, version === null ? undefined : timeOfWrite(version)),
    enabled: secret.versioned && version !== null,
  });
  const author = version === null ? undefined : versionAuthors(entries, [version]).get(version.version);
  const custom = Object.entries(version?.custom_metadata ?? {});
  return (
    <div className="h-full overflow-y-auto pb-6">
      <div className="mx-auto flex w-full max-w-300 flex-col gap-4 wide:flex-row">
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          {isOlder && (
            <Banner
              tone="info"
              announce="none"
              title={`You are viewing version ${String(version.version)}; the newest is ${secret.revision}`}
              actions={
                <LinkButton href={secretHref(place)} size={28}>
                  Go to the newest version
                </LinkButton>
              }
            />
          )}
          {version !== null && fields !== null ? (
            <FieldsCard
              key={version.version}
              place={place}
              version={version.version}
              fields={fields}
              may={may}
            />
          ) : (
            <NoData place={place} secret={secret} />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4 wide:w-90 wide:shrink-0">
          {secret.versioned && <IsThisIt place={place} may={may} />}
          {secret.versioned && version !== null && (
            <Card title="This version">
              <div className="-my-2">
                <KeyValueList
                  items={[
                    { label: 'Version', value: version.version },
                    { label: 'Written', value: <Time value={version.created_time} isRelative /> },
                    ...(author === undefined ? [] : [{ label: 'By', value: author }]),
                    ...(version.deletion_time === ''
                      ? []
                      : [
                          {
                            label: version.state === 'scheduled' ? 'Will be deleted' : 'Deleted',
                            value: <Time value={version.deletion_time} isRelative />,
                          },
                        ]),
                    ...custom.map(([label, value]) => ({ label, value, copyText: value })),
                  ]}
                />
              </div>
            </Card>
          )}
          {version !== null && !isOlder && (
            <OtherEnvironments key={version.version} place={place} may={may} />
          )}
          <TargetsReading place={place} />
        </div>
      </div>
    </div>
  );
}
