import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSession } from '#components/environment/use-environment.ts';
import { lastKnownQuery, replicationFilterQuery, replicationQuery } from '#queries/replication.ts';
import { clusterOfStatus, filterOfRecord, unreadCluster, type FilterBy } from './clusters-of.ts';
import { earlierOf, noProgress, watched } from './progress.ts';
import { topologyOf } from './topology.ts';

/** The joined clusters of all environments. `ClusterPolls` keeps them up to date. */
export function useClusters() {
  const places = usePlacesWithSecrets();
  const readings = useQueries({ queries: places.map(({ id }) => replicationQuery(id)) });
  const known = readings.flatMap(({ data }, index) => {
    const place = places[index];
    if (place === undefined || data?.status?.mode !== 'primary' || !data.status.signed_in) return [];
    if (data.status.may?.read_filter === false) return [];
    return data.status.secondaries.map(({ id }) => ({ environment: place.id, secondary: id }));
  });
  const filters = useQueries({
    queries: known.map(({ environment, secondary }) => replicationFilterQuery(environment, secondary)),
  });
  const filterBy =
    (environment: string): FilterBy =>
    (secondary) => {
      const index = known.findIndex(
        (other) => other.environment === environment && other.secondary === secondary,
      );
      const filter = filters[index]?.data;
      return filter && filterOfRecord(filter);
    };
  const lasts = useQueries({
    queries: places.map(({ id }, index) => ({
      ...lastKnownQuery(id),
      enabled: readings[index]?.data?.error !== undefined,
    })),
  });
  const clusters = places.flatMap((place, index) => {
    const reading = readings[index]?.data;
    if (reading === undefined) return [];
    return reading.error === undefined
      ? clusterOfStatus(place, reading.status, filterBy(place.id))
      : unreadCluster(place, reading.error, lasts[index]?.data);
  });
  const readAt = Math.max(0, ...readings.map(({ data }) => data?.readAt ?? 0));
  const [progress, setProgress] = useState(noProgress);
  const seen = JSON.stringify([readAt, clusters.length]);
  useEffect(() => {
    setProgress((before) => watched(before, clusters, readAt));
    // oxlint-disable-next-line react/exhaustive-deps -- `seen` stands for the clusters, new objects at each render
  }, [seen]);
  const isKnown = clusters.length === places.length && !lasts.some(({ isLoading }) => isLoading);
  return {
    /** Of all environments, in configuration order; undefined until each has answered or failed. */
    clusters: isKnown ? clusters : undefined,
    topology: isKnown ? topologyOf(clusters, earlierOf(progress, readAt)) : undefined,
    /** The time of the newest reading, in ms. */
    readAt,
    isFetching: readings.some(({ isFetching }) => isFetching),
    refetch: (): void => {
      for (const { refetch } of readings) void refetch();
    },
  };
}

/** Environments with a secrets server. */
export function usePlacesWithSecrets() {
  const { environments } = useSession();
  return environments.filter(({ services }) => services.some(({ service }) => service === 'secrets'));
}
