import type { ClusterNode } from '@gatehouse/api-types/console/replication-status';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import type { Tone } from '@gatehouse/ui/tone';
import { useQuery } from '@tanstack/react-query';
import { Time } from '#components/environment/Time.tsx';
import { Waiting } from '#components/record/Waiting.tsx';
import { counted } from '#lib/counted.ts';
import { clusterNodesQuery } from '#queries/replication.ts';

/** For servers that can't replicate: their own cluster's nodes and roles. */
export function WithoutReplication({ environment }: { environment: string }) {
  const query = useQuery(clusterNodesQuery(environment));
  const { data } = query;
  return (
    <>
      <Banner tone="info" title="This server doesn't support performance replication" announce="none">
        Other servers and editions support performance replication. The nodes of this cluster are listed
        below.
      </Banner>
      {data === undefined ? (
        <Waiting query={query.isError ? query : undefined} label="Loading the nodes" />
      ) : (
        <Card
          title={data.nodes.length === 0 ? 'Nodes' : counted(data.nodes.length, 'node')}
          isFlush
          footer={
            data.source === null
              ? "The server doesn't list its nodes."
              : `From sys/${sources[data.source]}${data.cluster_name === null ? '' : ` of ${data.cluster_name}`}.`
          }
        >
          {data.nodes.length === 0 && (
            <p className="p-4 text-body text-ink-2">
              You can't see any nodes. Your policies may not allow it.
            </p>
          )}
          <ul aria-label="Nodes">
            {data.nodes.map((node) => (
              <NodeRow key={`${node.name} ${node.api_address ?? ''}`} node={node} />
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

const sources = { 'ha-status': 'ha-status', raft: 'storage/raft/configuration', leader: 'leader' } as const;

const roles: Readonly<Record<ClusterNode['role'], { word: string; tone: Tone | 'neutral' }>> = {
  active: { word: 'Active', tone: 'ok' },
  leader: { word: 'Leader', tone: 'ok' },
  standby: { word: 'Standby', tone: 'neutral' },
  voter: { word: 'Voter', tone: 'neutral' },
  'non-voter': { word: 'Non-voter', tone: 'neutral' },
  unknown: { word: 'Unknown role', tone: 'neutral' },
};

function NodeRow({ node }: { node: ClusterNode }) {
  const { name, role, api_address: api, cluster_address: cluster, version, last_echo: echo } = node;
  const { word, tone } = roles[role];
  const addresses = [api, cluster].filter((address) => address !== null).join(' · ');
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-b-0">
      <span className="text-body font-medium text-ink-1">{name}</span>
      <Badge tone={tone}>{word}</Badge>
      <span className="font-mono text-meta text-ink-2 wrap-anywhere">{addresses}</span>
      <span className="ms-auto text-meta text-ink-2">
        {version ?? 'Version unknown'}
        {echo !== null && (
          <>
            {' '}
            · last contact <Time value={echo} isRelative />
          </>
        )}
      </span>
    </li>
  );
}
