import { Card } from '@gatehouse/ui/card';
import { CodeBlock } from '@gatehouse/ui/code';
import { Link } from '@gatehouse/ui/link';
import { Select } from '@gatehouse/ui/select';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { accountHref } from '#components/places/boxes.ts';
import { addCommand, architecturesOf, vagrantfile, type UsedBox, type UsedImage } from './use-commands.ts';

/** The choice of no particular architecture; no architecture has an empty name. */
const ownArchitecture = '';

/** Commands to use a box, or one version of it. */
export function UseBox({
  box,
  images,
  isPrivate,
}: {
  box: UsedBox;
  /** The images of the version that is used. */
  images: readonly UsedImage[];
  isPrivate: boolean;
}) {
  const environment = useEnvironment();
  const [chosen, setChosen] = useState(ownArchitecture);
  const architectures = architecturesOf(images);
  const used = architectures.includes(chosen) ? { ...box, architecture: chosen } : box;
  return (
    <Card title="Use this box">
      <div className="flex flex-col gap-3">
        {architectures.length > 0 && (
          <Select
            label="Architecture"
            description="Clients use the machine's own architecture. Set one to override it, for example for emulation."
            options={[
              { id: ownArchitecture, label: "The machine's own" },
              ...architectures.map((architecture) => ({ id: architecture, label: architecture })),
            ]}
            value={architectures.includes(chosen) ? chosen : ownArchitecture}
            onChange={setChosen}
          />
        )}
        <CodeBlock label="Command" code={addCommand(used)} isWrapped />
        <CodeBlock label="Vagrantfile" code={vagrantfile(used)} isWrapped />
        {isPrivate && (
          <p className="text-meta text-ink-2">
            The box is private: set <code className="font-mono">VAGRANT_CLOUD_TOKEN</code> to{' '}
            <Link href={accountHref(environment.id)}>one of your tokens</Link>.
          </p>
        )}
      </div>
    </Card>
  );
}
