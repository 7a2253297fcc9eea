import type { PlannedOrganization, System } from './plan-form.ts';

const bastion: System = {
  name: 'bastion',
  what: 'Jump host for on-call engineers',
  type: 'ssh',
  port: 22,
  injected: ['bastion key'],
};

/** The sample company's organizations. Every environment has all of them. */
export const plan: readonly PlannedOrganization[] = [
  {
    name: 'Commerce',
    description: 'Everything from basket to parcel',
    projects: [
      {
        name: 'Checkout',
        description: 'Baskets, payments and receipts',
        store: 'Checkout accounts',
        credentials: [
          {
            name: 'orders on call',
            what: 'Reads and repairs orders',
            type: 'username_password',
            username: 'oncall',
          },
          { name: 'redis', what: 'Session store', type: 'password' },
          {
            name: 'acquirer terminal',
            what: "The acquirer's terminal and key",
            type: 'json',
            keys: ['terminal_id', 'key'],
          },
          {
            name: 'bastion key',
            what: 'Jump host for on-call engineers',
            type: 'ssh_private_key',
            username: 'ops',
          },
        ],
        systems: [
          { name: 'postgres', what: 'Orders database', port: 5432, copies: 2, brokered: ['orders on call'] },
          {
            name: 'redis-sessions',
            what: "Baskets of visitors who aren't signed in",
            port: 6379,
            brokered: ['redis'],
          },
          {
            name: 'payments-gateway',
            what: "The acquirer's card terminal protocol",
            port: 8583,
            application: ['acquirer terminal'],
          },
          bastion,
        ],
      },
      {
        name: 'Storefront',
        description: "The shop's pages and its search",
        store: 'Storefront accounts',
        credentials: [
          {
            name: 'search administrator',
            what: 'Index maintenance',
            type: 'username_password',
            username: 'admin',
          },
          { name: 'render key', what: 'Page renderers', type: 'ssh_private_key', username: 'render' },
        ],
        systems: [
          {
            name: 'opensearch',
            what: 'Product search',
            port: 9200,
            copies: 3,
            pooled: true,
            brokered: ['search administrator'],
          },
          {
            name: 'render',
            what: 'Page renderer',
            type: 'ssh',
            port: 22,
            copies: 2,
            pooled: true,
            injected: ['render key'],
          },
          { name: 'image-cache', what: 'Resized images', port: 6379 },
        ],
      },
      {
        name: 'Fulfilment',
        description: 'Warehouses, labels and carriers',
        store: 'Warehouse floor',
        credentials: [
          {
            name: 'stock on call',
            what: 'Corrects stock by shelf',
            type: 'username_password',
            username: 'stock_oncall',
          },
          {
            name: 'packing line',
            what: 'Print servers',
            type: 'username_password_domain',
            username: 'packing',
            domain: 'floor.example.com',
          },
          {
            name: 'carrier key',
            what: 'Manifests for the carriers',
            type: 'ssh_private_key',
            username: 'manifests',
          },
        ],
        systems: [
          { name: 'mysql-stock', what: 'Stock by shelf', port: 3306, copies: 2, brokered: ['stock on call'] },
          {
            name: 'label-printer',
            what: 'Print server of the packing line',
            type: 'rdp',
            port: 3389,
            injected: ['packing line'],
          },
          {
            name: 'carrier-sftp',
            what: 'Manifests for the carriers',
            type: 'ssh',
            port: 22,
            central: true,
            injected: ['carrier key'],
          },
        ],
      },
    ],
  },
  {
    name: 'Data',
    description: 'Warehouse, streams and models',
    projects: [
      {
        name: 'Warehouse',
        description: 'Reporting and finance',
        store: 'Reporting accounts',
        credentials: [
          {
            name: 'analyst',
            what: 'Reads everything but personal data',
            type: 'username_password',
            username: 'analyst',
          },
          {
            name: 'ledger reader',
            what: 'Month-end close',
            type: 'username_password',
            username: 'ledger_ro',
          },
          {
            name: 'ledger writer',
            what: 'Corrections; four-eyes rule applies',
            type: 'username_password',
            username: 'ledger_rw',
          },
          {
            name: 'finance desktop',
            what: 'Spreadsheet hosts',
            type: 'username_password_domain',
            username: 'reporting',
            domain: 'corp.example.com',
          },
        ],
        systems: [
          {
            name: 'clickhouse',
            what: 'Events and orders, columnar',
            port: 9440,
            copies: 3,
            pooled: true,
            brokered: ['analyst'],
          },
          {
            name: 'finance-postgres',
            what: 'Ledger; four-eyes rule applies',
            port: 5432,
            central: true,
            brokered: ['ledger reader', 'ledger writer'],
          },
          {
            name: 'reporting-desktop',
            what: 'Spreadsheet host of the finance team',
            type: 'rdp',
            port: 3389,
            injected: ['finance desktop'],
          },
        ],
      },
      {
        name: 'Streaming',
        description: 'Brokers and their registry',
        store: 'Streaming accounts',
        credentials: [
          {
            name: 'broker client',
            what: 'Shared SASL account',
            type: 'username_password',
            username: 'people',
          },
          { name: 'registry token', what: 'Schema changes', type: 'json', keys: ['issuer', 'token'] },
          {
            name: 'bastion key',
            what: 'Jump host for on-call engineers',
            type: 'ssh_private_key',
            username: 'ops',
          },
        ],
        systems: [
          { name: 'kafka', what: 'Broker', port: 9094, copies: 3, pooled: true, brokered: ['broker client'] },
          {
            name: 'schema-registry',
            what: 'Schemas of all topics',
            port: 8081,
            application: ['registry token'],
          },
          bastion,
        ],
      },
      {
        name: 'Models',
        description: 'Training and serving',
        store: 'Model accounts',
        credentials: [
          { name: 'training key', what: 'Training hosts', type: 'ssh_private_key', username: 'train' },
          { name: 'feature store', what: 'Features for serving', type: 'password' },
        ],
        systems: [
          {
            name: 'gpu',
            what: 'Training host',
            type: 'ssh',
            port: 22,
            copies: 4,
            pooled: true,
            injected: ['training key'],
          },
          { name: 'feature-store', what: 'Features for serving', port: 6380, brokered: ['feature store'] },
        ],
      },
    ],
  },
  {
    name: 'Platform',
    description: 'Shared infrastructure',
    projects: [
      {
        name: 'Clusters',
        description: 'Control planes and nodes',
        store: 'Break glass',
        credentials: [
          {
            name: 'break-glass kubeconfig',
            what: 'When single sign-on is down',
            type: 'json',
            keys: ['user', 'token'],
          },
          {
            name: 'etcd client',
            what: 'Backups and defragmentation',
            type: 'json',
            keys: ['common_name', 'certificate'],
          },
          { name: 'node key', what: 'Worker nodes', type: 'ssh_private_key', username: 'core' },
        ],
        systems: [
          {
            name: 'kube-api',
            what: 'Control plane',
            port: 6443,
            copies: 3,
            pooled: true,
            brokered: ['break-glass kubeconfig'],
          },
          {
            name: 'etcd',
            what: "The control plane's store",
            port: 2379,
            copies: 3,
            pooled: true,
            application: ['etcd client'],
          },
          {
            name: 'node',
            what: 'Worker node for break-glass access',
            type: 'ssh',
            port: 22,
            copies: 4,
            pooled: true,
            injected: ['node key'],
          },
        ],
      },
      {
        name: 'Network',
        description: 'Edge, names and tunnels',
        store: 'Network devices',
        credentials: [
          { name: 'network key', what: 'Routers and tunnels', type: 'ssh_private_key', username: 'netops' },
        ],
        systems: [
          {
            name: 'edge-router',
            what: 'Border router',
            type: 'ssh',
            port: 22,
            copies: 2,
            injected: ['network key'],
          },
          { name: 'resolver', what: 'Internal names', port: 853, copies: 2, pooled: true },
          {
            name: 'vpn-concentrator',
            what: 'Tunnels to the warehouses',
            type: 'ssh',
            port: 22,
            injected: ['network key'],
          },
        ],
      },
      {
        name: 'Observability',
        description: 'Metrics, logs and traces',
        store: 'Observability accounts',
        credentials: [
          { name: 'dashboards', what: 'Dashboards database', type: 'username_password', username: 'grafana' },
        ],
        systems: [
          { name: 'metrics', what: 'Time series', port: 9090, copies: 2, pooled: true },
          { name: 'logs', what: 'Log store', port: 3100 },
          {
            name: 'grafana-db',
            what: 'Dashboards database',
            port: 5432,
            central: true,
            brokered: ['dashboards'],
          },
        ],
      },
      {
        name: 'Identity',
        description: 'Directory and sign-on',
        store: 'Directory accounts',
        credentials: [
          {
            name: 'directory manager',
            what: 'cn=manager',
            type: 'username_password',
            username: 'cn=manager',
          },
          {
            name: 'domain administrator',
            what: 'Sealed; takes two people to open',
            type: 'username_password_domain',
            username: 'administrator',
            domain: 'corp.example.com',
          },
        ],
        systems: [
          { name: 'ldap', what: 'Directory', port: 636, copies: 2, brokered: ['directory manager'] },
          {
            name: 'domain-controller',
            what: 'Windows domain',
            type: 'rdp',
            port: 3389,
            central: true,
            injected: ['domain administrator'],
          },
        ],
      },
    ],
  },
];
