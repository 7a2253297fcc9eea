import { Card } from '@gatehouse/ui/card';
import { CodeBlock } from '@gatehouse/ui/code';
import { Link } from '@gatehouse/ui/link';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { accountHref } from '#components/places/boxes.ts';
import { addCommand, vagrantfile, type UsedBox } from './use-commands.ts';

/** The commands that use a box, or one version of it, to be copied. */
export function UseBox({ box, isPrivate }: { box: UsedBox; isPrivate: boolean }) {
  const environment = useEnvironment();
  return (
    <Card title="Use it">
      <div className="flex flex-col gap-3">
        <CodeBlock label="Command" code={addCommand(box)} isWrapped />
        <CodeBlock label="Vagrantfile" code={vagrantfile(box)} isWrapped />
        {isPrivate && (
          <p className="text-meta text-ink-2">
            The box is private: set <code className="font-mono">VAGRANT_CLOUD_TOKEN</code> to{' '}
            <Link href={accountHref(environment.id)}>a token of yours</Link>.
          </p>
        )}
      </div>
    </Card>
  );
}
