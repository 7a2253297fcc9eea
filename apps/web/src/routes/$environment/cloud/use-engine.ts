import type { CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import { useQuery } from '@tanstack/react-query';
import { cloudEnginesQuery, type EnginePlace } from '#queries/cloud.ts';

/** The engine at a mount, with your capabilities; undefined while loading. */
export function useEngine({ environment, mount }: EnginePlace): CloudEngine | undefined {
  const { data } = useQuery(cloudEnginesQuery(environment));
  return data?.items.find((engine) => engine.mount === mount);
}
