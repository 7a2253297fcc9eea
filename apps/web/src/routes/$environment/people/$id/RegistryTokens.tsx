import { Link } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { boxesHref } from '#components/places/boxes.ts';
import { modulesHref } from '#components/places/modules.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { counted } from '#lib/counted.ts';
import { serviceLabels } from '#lib/error-words.ts';
import { boxTokensQuery } from '#queries/box-accounts.ts';
import { moduleTokensQuery } from '#queries/module-changes.ts';
import { useConnection } from '#queries/session.ts';

/** The number of your tokens at the registries, which list only the caller's. */
export function RegistryTokens() {
  const { id: environment } = useEnvironment();
  const hasBoxes = useConnection(environment, 'boxes')?.state === 'connected';
  const hasModules = useConnection(environment, 'modules')?.state === 'connected';
  const boxes = useQuery({ ...boxTokensQuery(environment), enabled: hasBoxes });
  const modules = useQuery({ ...moduleTokensQuery(environment), enabled: hasModules });
  const places = [
    { service: 'boxes', tokens: boxes.data, href: `${boxesHref(environment)}/account` },
    { service: 'modules', tokens: modules.data, href: `${modulesHref(environment)}/tokens` },
  ] as const;
  const items = places.flatMap(({ service, tokens, href }) =>
    tokens == null
      ? []
      : [
          {
            label: serviceLabels[service],
            value: <Link href={href}>{counted(tokens.length, 'token')}</Link>,
          },
        ],
  );
  return items.length > 0 && <DetailCard title="Your tokens at registries" items={items} />;
}
