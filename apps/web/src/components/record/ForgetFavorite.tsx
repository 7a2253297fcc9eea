import { Button } from '@gatehouse/ui/button';
import { useGoneFavorite } from '#queries/favorites.ts';

/** On the page of a record that isn't found: removes it from the favorites, if it is one. */
export function ForgetFavorite() {
  const remove = useGoneFavorite();
  return remove && <Button onPress={remove}>Remove from favorites</Button>;
}
