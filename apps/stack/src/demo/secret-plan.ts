/** Generates the values of the sample company's secrets, all recognizable as samples. */
export interface Maker {
  /** A password or a token. */
  readonly word: () => string;
  /** A private key, over several lines. */
  readonly key: () => string;
  /** The region or environment in host names. */
  readonly place: string;
}

export interface PlannedSecret {
  readonly path: string;
  /** The fields, generated again for each version. */
  readonly fields: (made: Maker) => Readonly<Record<string, unknown>>;
  readonly owner: string;
  readonly purpose: string;
  /** When its versions were written, in days before the demo starts, the earliest first. */
  readonly written: readonly number[];
  /** The secret's own settings, in the server's wire form. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** When it should be replaced, in days after the demo starts. */
  readonly rotateIn?: number;
  /** Versions that are deleted or destroyed at the end. */
  readonly deleted?: readonly number[];
  readonly destroyed?: readonly number[];
}

export interface PlannedEngine {
  /** The mount path, without a slash. */
  readonly mount: string;
  readonly description: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly secrets: readonly PlannedSecret[];
}

/** The day before the demo's start from which the story's users make the changes. */
const last = 4;

/** Every `days` days, starting `first` days before the demo's start. */
function every(days: number, first: number): readonly number[] {
  return Array.from({ length: Math.floor((first - last) / days) + 1 }, (_, index) => first - index * days);
}

const database = (username: string, host: string, port: number): PlannedSecret['fields'] => {
  return ({ word, place }) => ({ username, password: word(), host: `${host}.${place}.internal`, port });
};

/** The sample company's engines. Every environment has both. */
export const secretPlan: readonly PlannedEngine[] = [
  {
    mount: 'secret',
    description: 'key/value secret storage',
    secrets: [
      {
        path: 'commerce/checkout/orders-db',
        fields: database('orders_app', 'postgres-1.checkout', 5432),
        owner: 'checkout',
        purpose: "The checkout services' login to the orders database",
        rotateIn: -1,
        written: [91, 60, 31, 4],
      },
      {
        path: 'commerce/checkout/acquirer',
        fields: ({ word, place }) => ({
          terminal_id: 'T-004217',
          key: word(),
          endpoints: {
            primary: `tls://acquirer-a.${place}.internal:8583`,
            fallback: 'tls://acquirer-b.internal:8583',
          },
        }),
        owner: 'checkout',
        purpose: 'Card terminal protocol; a new key each quarter',
        rotateIn: 18,
        written: [88, 12],
        settings: { cas_required: true },
      },
      {
        path: 'commerce/checkout/session-cookie-keys',
        fields: ({ word }) => ({ current: word(), previous: word() }),
        owner: 'checkout',
        purpose: 'Rotated every week by the deployment',
        written: every(7, 90),
      },
      {
        path: 'commerce/checkout/old gateway',
        fields: ({ word }) => ({ merchant: '88120', secret: word() }),
        owner: 'checkout',
        purpose: 'Gateway retired in spring',
        written: [90, 70],
        deleted: [2],
      },
      {
        path: 'commerce/storefront/cdn',
        fields: ({ word }) => ({
          origin_token: word(),
          purge: { url: 'https://cdn.example.com/purge', token: word() },
        }),
        owner: 'storefront',
        purpose: 'Images and cache purging',
        written: [85, 40],
      },
      {
        path: 'commerce/storefront/search',
        fields: database('search_rw', 'opensearch.storefront', 9200),
        owner: 'storefront',
        purpose: 'Catalogue index',
        written: [84, 21],
      },
      {
        path: 'commerce/fulfilment/carrier-sftp',
        fields: ({ key }) => ({
          username: 'manifests',
          private_key: key(),
          known_hosts: 'sftp.carrier.example.com',
        }),
        owner: 'fulfilment',
        purpose: 'Sends manifests to the carrier every evening',
        written: [83, 9],
      },
      {
        path: 'commerce/fulfilment/stock-db',
        fields: database('stock_app', 'mysql-stock-1.fulfilment', 3306),
        owner: 'fulfilment',
        purpose: 'Stock by shelf',
        written: [83, 52, 22],
      },
      {
        path: 'data/warehouse/clickhouse',
        fields: database('loader', 'clickhouse-1.warehouse', 9440),
        owner: 'warehouse',
        purpose: 'Nightly loads',
        written: [80, 33, 7],
      },
      {
        path: 'data/warehouse/ledger reader',
        fields: database('ledger_ro', 'finance-postgres.warehouse', 5432),
        owner: 'warehouse',
        purpose: 'Reports of the finance department',
        written: [79, 18],
        settings: { delete_version_after: '2160h' },
      },
      {
        path: 'data/warehouse/legacy-etl',
        fields: ({ word }) => ({ user: 'etl', password: word() }),
        owner: 'warehouse',
        purpose: 'Replaced by the loader',
        written: [79, 64, 50],
        deleted: [1, 2, 3],
      },
      {
        path: 'data/streaming/broker-tls',
        fields: ({ key }) => ({ ca: key(), certificate: key(), private_key: key() }),
        owner: 'streaming',
        purpose: 'Between the brokers; the certificate is renewed every month',
        written: [76, 46, 16],
      },
      {
        path: 'data/models/registry',
        fields: ({ word, place }) => ({
          url: `https://models.${place}.internal`,
          push_token: word(),
          pull_token: word(),
        }),
        owner: 'models',
        purpose: 'Training hosts push, serving pulls',
        written: [73, 11],
      },
      {
        path: 'platform/ci/deploy-token',
        fields: ({ word }) => ({ token: word(), scopes: ['deploy', 'read'] }),
        owner: 'platform',
        purpose: 'Pipelines; rotated by a job',
        written: every(3, 88),
        settings: { max_versions: 40 },
      },
      {
        path: 'platform/ci/signing',
        fields: ({ word, key }) => ({ key: key(), passphrase: word() }),
        owner: 'platform',
        purpose: 'Signs releases',
        written: [87, 5],
        settings: { cas_required: true },
      },
      {
        path: 'platform/ci/registry-push',
        fields: ({ word }) => ({ username: 'ci', password: word() }),
        owner: 'platform',
        purpose: 'Version 2 was printed by a pipeline and is destroyed',
        written: [86, 44, 43],
        destroyed: [2],
      },
      {
        path: 'platform/network/Lisboa – São Paulo',
        fields: ({ word }) => ({
          preshared_key: word(),
          peers: { lisboa: '198.51.100.4', 'são paulo': '203.0.113.9' },
        }),
        owner: 'network',
        purpose: 'Tunnel between the two offices',
        written: [70],
      },
      {
        path: 'platform/observability/grafana',
        fields: ({ word }) => ({ admin_user: 'admin', admin_password: word(), secret_key: word() }),
        owner: 'observability',
        purpose: 'Dashboards',
        written: [69, 25],
      },
      {
        path: 'platform/observability/alert webhook',
        fields: ({ word }) => ({ url: 'https://alerts.example.com/hooks/platform', signing_secret: word() }),
        owner: 'observability',
        purpose: 'Alerts to people on call',
        written: [68],
      },
      {
        path: 'platform/identity/oidc-client',
        fields: ({ word, place }) => ({
          issuer: `https://id.${place}.internal`,
          client_id: 'console',
          client_secret: word(),
          scopes: ['openid', 'profile', 'email'],
        }),
        owner: 'identity',
        purpose: 'Sign-in for internal tools',
        written: [66, 36, 6],
      },
      {
        path: 'platform/identity/ldap-bind',
        fields: database('cn=reader,dc=example', 'ldap-1.identity', 636),
        owner: 'identity',
        purpose: 'Directory, read-only access',
        written: [66, 35],
      },
      {
        path: 'platform/backup/object-store',
        fields: ({ word }) => ({
          access_key_id: 'BACKUP',
          secret_access_key: word(),
          bucket: 'backup-weekly',
        }),
        owner: 'platform',
        purpose: 'Weekly backups, kept for a year',
        written: [65, 32],
      },
    ],
  },
  {
    mount: 'people',
    description: 'Secrets of individual engineers',
    settings: { max_versions: 5 },
    secrets: [
      {
        path: 'on call/break glass',
        fields: ({ word, key }) => ({ reason: 'ask two others first', password: word(), kubeconfig: key() }),
        owner: 'platform',
        purpose: 'For when nothing else works',
        written: [62, 29],
        settings: { cas_required: true },
      },
      {
        path: 'tomasz.wrona/scratch',
        fields: ({ word }) => ({ note: 'to be moved', token: word() }),
        owner: 'tomasz.wrona',
        purpose: 'Trying things out',
        written: [20, 19, 8],
      },
      {
        path: 'noor.haddad/stock migration',
        fields: ({ word }) => ({ username: 'migration', password: word() }),
        owner: 'fulfilment',
        purpose: 'Ended with the contract',
        written: [15],
        deleted: [1],
      },
    ],
  },
];
