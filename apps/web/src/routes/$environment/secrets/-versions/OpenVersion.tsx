import { Button } from '@gatehouse/ui/button';
import { NumberField } from '@gatehouse/ui/number-field';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { secretHref } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';

/** Opens a version by number if the versions can't be listed: reading it may still be allowed. */
export function OpenVersion({ place, newest }: { place: SecretPlace; newest: number }) {
  const navigate = useNavigate();
  const [version, setVersion] = useState<number | null>(newest > 1 ? newest - 1 : null);
  const [wasTried, setTried] = useState(false);
  const isMissing = version === null || version < 1;
  return (
    <form
      className="flex flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isMissing) void navigate({ href: secretHref(place, { version }) });
      }}
    >
      <NumberField
        label="Open a version by number"
        description={newest > 0 ? `The newest is ${String(newest)}.` : 'Versions start at 1.'}
        min={1}
        value={version}
        onChange={setVersion}
        error={wasTried && isMissing ? 'Enter a number, 1 or greater.' : undefined}
      />
      <Button type="submit">Open</Button>
    </form>
  );
}
