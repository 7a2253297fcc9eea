import { createFileRoute, redirect } from '@tanstack/react-router';
import { folderHref } from '../places.ts';

export const Route = createFileRoute('/$environment/secrets/$mount/')({
  beforeLoad: ({ params: { environment, mount } }) => {
    throw redirect({ href: folderHref({ environment, mount, path: '' }), replace: true });
  },
});
