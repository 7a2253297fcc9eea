import { Gallery } from '@gatehouse/ui/gallery';
import { createFileRoute } from '@tanstack/react-router';

/** Every component of the design system in both themes. */
export const Route = createFileRoute('/gallery/')({ component: Gallery });
