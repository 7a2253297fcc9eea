import { useEffect, useState } from 'react';

/** Whether Caps Lock is on, as far as the keys pressed so far have told. */
export function useCapsLock(): boolean {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const read = (event: KeyboardEvent): void => {
      setOn(event.getModifierState('CapsLock'));
    };
    window.addEventListener('keydown', read);
    window.addEventListener('keyup', read);
    return () => {
      window.removeEventListener('keydown', read);
      window.removeEventListener('keyup', read);
    };
  }, []);
  return isOn;
}
