import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { secretEngineQuery } from '#queries/secret-metadata.ts';
import { secretMetadataQuery } from '#queries/secret-versions.ts';
import { EditMetadataPage } from './EditMetadataPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/metadata/$')({
  loader: ({ params: { environment, mount, _splat: path = '' } }) => {
    void queryClient.prefetchQuery(secretMetadataQuery({ environment, mount, path }));
    void queryClient.prefetchQuery(secretEngineQuery({ environment, mount }));
  },
  component: EditMetadataPage,
});
