import type { Target } from '@gatehouse/api-types/console/targets';
import { Card } from '@gatehouse/ui/card';
import { KeyValueList, type KeyValue } from '@gatehouse/ui/key-value-list';
import type { ReactNode } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { scopeName } from '#components/targets/scope-name.ts';
import { showDestination, showDuration, showLimit } from '#components/targets/show-target.ts';
import { nowhere } from '../may.ts';
import { SourcesCard } from './SourcesCard.tsx';
import { WhoCanConnect } from './WhoCanConnect.tsx';
import { WorkersCard } from './WorkersCard.tsx';

/** All stored fields of a target. */
export function TargetDetails({ target, sessions }: { target: Target; sessions: ReactNode }) {
  const { attributes } = target;
  return (
    <div className="mx-auto grid w-full max-w-300 grid-cols-1 items-start gap-4 p-4 wide:grid-cols-2 wide:p-6">
      <div className="flex flex-col gap-4">
        <Section
          title="Identity"
          items={[
            { label: 'Description', value: target.description },
            copyable('ID', target.id),
            { label: 'Project', value: scopeName(target.scope) },
            copyable('Project ID', target.scope_id),
            { label: 'Version', value: target.revision },
            { label: 'Created', value: <Time value={target.created_time} /> },
            { label: 'Updated', value: <Time value={target.updated_time} /> },
          ]}
        />
        <SourcesCard target={target} />
        <WhoCanConnect />
      </div>
      <div className="flex flex-col gap-4">
        <Section
          title="Endpoint"
          items={[
            target.address === ''
              ? {
                  label: 'Address',
                  value: target.host_sources.length > 0 ? 'Chosen from the host sources' : nowhere,
                }
              : copyable('Address', target.address),
            ...(target.address === '' ? [] : [copyable('Destination', showDestination(target))]),
            { label: 'Default port', value: attributes.default_port },
            { label: 'Default client port', value: attributes.default_client_port ?? 'Any free port' },
          ]}
        />
        <Section
          title="Sessions"
          items={[
            { label: 'Maximum session duration', value: showDuration(target.session_max_seconds) },
            { label: 'Connections', value: showLimit(target.session_connection_limit) },
            ...(target.type === 'ssh'
              ? [
                  { label: 'Recorded', value: attributes.enable_session_recording === true ? 'Yes' : 'No' },
                  copyable('Storage bucket', attributes.storage_bucket_id ?? ''),
                ]
              : []),
          ]}
        />
        {sessions}
        <WorkersCard target={target} />
      </div>
    </div>
  );
}

function Section({ title, items }: { title: string; items: readonly KeyValue[] }) {
  return (
    <Card title={title}>
      <div className="-my-2">
        <KeyValueList items={items} />
      </div>
    </Card>
  );
}

function copyable(label: string, text: string): KeyValue {
  return { label, value: text, isMono: true, ...(text !== '' && { copyText: text }) };
}
