import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/$environment/secrets/$mount/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$environment/secrets/$mount/folder/$', params, replace: true });
  },
});
