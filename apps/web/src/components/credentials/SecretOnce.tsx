import { SecretValue, type SecretValueProps } from '@gatehouse/ui/secret-value';
import { useState } from 'react';
import { useForgetting } from '#lib/forgetting.ts';

/** A secret that is shown only here: masked again when the page is hidden or the session ends, and kept for copying. */
export function SecretOnce(props: SecretValueProps) {
  const [round, setRound] = useState(0);
  useForgetting(() => {
    setRound(round + 1);
  });
  return <SecretValue key={round} {...props} />;
}
