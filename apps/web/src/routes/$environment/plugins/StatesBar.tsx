import { Button } from '@gatehouse/ui/button';
import { Spinner } from '@gatehouse/ui/spinner';
import type { PluginStates } from '#components/plugins/use-plugin-states.ts';
import { counted } from '#lib/counted.ts';

/** Such as `12 plugins are not checked`. */
export function uncheckedWords(unread: number): string {
  return `${counted(unread, 'plugin')} ${unread === 1 ? 'is' : 'are'} not checked`;
}

/** The number of plugins with an unknown state, with buttons to read them all and to stop. */
export function StatesBar({
  states,
  unread,
  progress,
  readAll,
  stop,
}: Pick<PluginStates, 'states' | 'unread' | 'progress' | 'readAll' | 'stop'>) {
  if (progress === 'rest') {
    return (
      <>
        <Spinner size={12} />
        <span role="status">
          {(states.size - unread).toLocaleString('en')} of {states.size.toLocaleString('en')} checked
        </span>
        <Button size={28} variant="ghost" onPress={stop}>
          Stop
        </Button>
      </>
    );
  }
  // Visible rows are read immediately.
  if (progress === 'soon' || unread === 0) return null;
  return (
    <>
      <span className="max-narrow:hidden">{uncheckedWords(unread)}</span>
      <Button size={28} variant="ghost" onPress={readAll}>
        Check all
      </Button>
    </>
  );
}
