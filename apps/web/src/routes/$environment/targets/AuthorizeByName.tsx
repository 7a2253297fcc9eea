import { Button } from '@gatehouse/ui/button';
import { IconButton } from '@gatehouse/ui/icon-button';
import { useNavigate } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { placeOf, type TargetsSearch } from './targets-search.ts';

/** The way to a session on a target whose name is known. */
export function AuthorizeByName({ search }: { search: TargetsSearch }) {
  const { id: environment } = useEnvironment();
  const navigate = useNavigate();
  const go = (): void =>
    void navigate({
      to: '/$environment/targets/authorize',
      params: { environment },
      search: placeOf(search),
    });
  useShortcut({ keys: 'a', label: 'Authorize a session by name', group: 'Targets', run: go });
  return (
    <>
      <span className="hidden narrow:flex">
        <Button size={28} icon={Plug} shortcut="a" onPress={go}>
          Authorize by name
        </Button>
      </span>
      <span className="flex narrow:hidden">
        <IconButton icon={Plug} label="Authorize by name" onPress={go} />
      </span>
    </>
  );
}
