import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { IconButton } from '@gatehouse/ui/icon-button';
import { Link } from '@gatehouse/ui/link';
import { X } from 'lucide-react';
import { useFavorites } from '#queries/favorites.ts';

/** The user's favorites of an environment; nothing without any. */
export function FavoritesCard({ environment }: { environment: string }) {
  const [favorites, setFavorites] = useFavorites();
  const prefix = `/${environment}/`;
  const shown = favorites.filter(({ href }) => href.startsWith(prefix));
  if (shown.length === 0) return null;
  return (
    <Card isFlush title="Favorites">
      <ul className="grid grid-cols-1 wide:grid-cols-2">
        {shown.map(({ href, title, isGone }) => (
          <li key={href} className="flex min-w-0 items-center gap-3 border-b border-line px-4 py-1">
            <Link href={href}>{title}</Link>
            {isGone === true && <Badge>Not found</Badge>}
            <span className="min-w-0 flex-1 truncate font-mono text-meta text-ink-2">
              {href.slice(prefix.length)}
            </span>
            <IconButton
              icon={X}
              label={`Remove ${title} from favorites`}
              onPress={() => {
                setFavorites(favorites.filter((one) => one.href !== href));
              }}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
