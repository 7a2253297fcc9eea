import { Button } from '@gatehouse/ui/button';
import { counted } from '#lib/counted.ts';

/**
 * The foot of a list that shows only its first items; nothing if it shows all of them.
 * @param noun what is not shown, such as `older version`
 */
export function ShowMore({ left, noun, onPress }: { left: number; noun: string; onPress: () => void }) {
  if (left <= 0) return null;
  return (
    <div className="flex items-center gap-3 border-t border-line px-4 py-1.5 text-meta text-ink-2">
      {counted(left, noun)} not shown
      <Button size={28} variant="ghost" onPress={onPress}>
        Show more
      </Button>
    </div>
  );
}
