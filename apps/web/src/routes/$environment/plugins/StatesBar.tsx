import { Button } from '@gatehouse/ui/button';
import { Spinner } from '@gatehouse/ui/spinner';
import { counted } from '#lib/counted.ts';
import type { PluginStates } from './-catalog/use-plugin-states.ts';

/** `12 plugins are not checked` */
export function uncheckedWords(unread: number): string {
  return `${counted(unread, 'plugin')} ${unread === 1 ? 'is' : 'are'} not checked`;
}

/** How many plugins have a state that is not known yet, with a button that reads them all and one that stops it. */
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
  // What comes into sight is read at once.
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
