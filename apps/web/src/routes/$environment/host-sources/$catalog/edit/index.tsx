import { createFileRoute } from '@tanstack/react-router';
import { EditCatalogPage } from './EditCatalogPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/edit/')({
  component: EditCatalogPage,
});
