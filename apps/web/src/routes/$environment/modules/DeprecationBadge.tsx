import type { Deprecation } from '@gatehouse/api-types/console/modules';
import { Badge } from '@gatehouse/ui/badge';
import { deprecationWords } from './deprecation-words.ts';

export function DeprecationBadge({ deprecation }: { deprecation: Pick<Deprecation, 'state'> }) {
  const { word, tone } = deprecationWords[deprecation.state];
  return <Badge tone={tone}>{word}</Badge>;
}
