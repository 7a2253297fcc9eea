import { createFileRoute } from '@tanstack/react-router';
import { newSecretSearch } from '#components/places/secret-search.ts';
import { NewSecretPage } from './NewSecretPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/new/$')({
  validateSearch: newSecretSearch.parse,
  component: NewSecretPage,
});
