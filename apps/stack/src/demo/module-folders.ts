/** The declarations in the folders of the sample company's modules. */
import type { PlannedFolder, PlannedInput } from './module-files.ts';

/** The AWS provider with a version constraint. */
export const aws = (version: string) => [['aws', 'hashicorp/aws', version]] as const;
const tags: PlannedInput = ['tags', 'map(string)', 'Tags of every resource', '{}'];

const vpcReadme = `# Network on AWS

The network every account in the company starts from: three zones, private subnets, one NAT gateway.

\`\`\`hcl
module "vpc" {
  source  = "modules.example.com/platform/vpc/aws"
  version = "~> 2.1"

  cidr_block         = "10.20.0.0/16"
  availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
}
\`\`\`

## From 1.x to 2.0
- \`availability_zones\` must be given; it was derived from the region before.
- \`nat_public_ip\` is gone: there is one gateway for each zone now. Use \`nat_public_ips\`.
- Flow logs are kept for 90 days instead of 14.

Sources: [network](https://git.example.com/platform/network).`;

export const vpcOne: PlannedFolder = {
  readme: vpcReadme.replace(/\n## From 1[^]*?\n\n(?=Sources)/, '\n'),
  inputs: [
    ['cidr_block', 'string', 'Range of the network'],
    ['name', 'string', 'Name of the network and prefix of its parts', '"main"'],
    ['private_subnets', 'number', 'Private subnets in each zone', '1'],
    ['flow_log_days', 'number', 'How long flow logs are kept', '14'],
    ['single_nat_gateway', 'bool', 'One gateway for all zones', 'true'],
    tags,
  ],
  outputs: [
    ['vpc_id', 'ID of the network', 'aws_vpc.this.id'],
    ['private_subnet_ids', 'IDs of the private subnets', 'aws_subnet.private[*].id'],
    ['nat_public_ip', 'Public address of the NAT gateway', 'aws_eip.nat.public_ip'],
  ],
  resources: [
    'aws_vpc this',
    'aws_subnet private',
    'aws_subnet public',
    'aws_nat_gateway this',
    'aws_eip nat',
    'aws_flow_log this',
  ],
  providers: aws('~> 5.40'),
};

export const vpcTwo: PlannedFolder = {
  ...vpcOne,
  readme: vpcReadme,
  inputs: [
    ['cidr_block', 'string', 'Range of the network'],
    ['availability_zones', 'list(string)', 'Zones that get subnets and a gateway'],
    ['name', 'string', 'Name of the network and prefix of its parts', '"main"'],
    ['private_subnets', 'number', 'Private subnets in each zone', '1'],
    ['flow_log_days', 'number', 'How long flow logs are kept', '90'],
    ['tags', 'map(object({ value = string, propagate = bool }))', 'Tags of every resource', '{}'],
  ],
  outputs: [
    ['vpc_id', 'ID of the network', 'aws_vpc.this.id'],
    ['private_subnet_ids', 'IDs of the private subnets, by zone', 'aws_subnet.private'],
    ['nat_public_ips', 'Public addresses of the NAT gateways', 'aws_eip.nat[*].public_ip'],
  ],
  providers: aws('~> 6.0'),
};

export const peering: PlannedFolder = {
  readme: '# Peering\n\nConnects two networks of the company, in one account or in two.',
  inputs: [
    ['requester_vpc_id', 'string', 'Requesting network'],
    ['accepter_vpc_id', 'string', 'Accepting network'],
    ['allow_dns', 'bool', 'Whether DNS names resolve across the peering', 'true'],
  ],
  outputs: [['connection_id', 'ID of the connection', 'aws_vpc_peering_connection.this.id']],
  resources: ['aws_vpc_peering_connection this', 'aws_vpc_peering_connection_accepter this'],
  providers: aws('>= 5.40'),
};

export const endpoints: PlannedFolder = {
  readme: '# Endpoints\n\nReach AWS services without crossing the internet.',
  inputs: [
    ['vpc_id', 'string', 'Network to create the endpoints in'],
    ['services', 'set(string)', 'Services such as `s3` or `ecr.api`', '["s3"]'],
  ],
  outputs: [['endpoint_ids', 'IDs by service', 'aws_vpc_endpoint.this']],
  resources: ['aws_vpc_endpoint this', 'aws_security_group this'],
  providers: aws('>= 5.40'),
};

export const vpcExample: PlannedFolder = {
  readme: '# Complete\n\nA network with peering and endpoints.',
  inputs: [],
  outputs: [['vpc_id', 'ID of the network', 'module.vpc.vpc_id']],
  calls: [
    ['vpc', '../..'],
    ['endpoints', '../../modules/endpoints'],
  ],
};

export const eks: PlannedFolder = {
  readme:
    "# Kubernetes on AWS\n\nA cluster with the company's add-ons: ingress, certificates, metrics.\n\nNode groups are replaced one after another; plan for twenty minutes.",
  inputs: [
    ['cluster_name', 'string', 'Name of the cluster'],
    ['vpc_id', 'string', 'Network of the cluster'],
    ['kubernetes_version', 'string', 'Minor version', '"1.31"'],
    [
      'node_groups',
      'map(object({ instance_types = list(string), min_size = number, max_size = number }))',
      'Node groups by name',
      '{ default = { instance_types = ["m7g.large"], min_size = 2, max_size = 6 } }',
    ],
    ['endpoint_public_access', 'bool', 'Whether the API answers from the internet', 'false'],
    tags,
  ],
  outputs: [
    ['cluster_endpoint', 'Address of the API', 'aws_eks_cluster.this.endpoint'],
    ['oidc_provider_arn', 'For roles of service accounts', 'aws_iam_openid_connect_provider.this.arn'],
  ],
  resources: [
    'aws_eks_cluster this',
    'aws_eks_node_group this',
    'aws_eks_addon this',
    'aws_iam_openid_connect_provider this',
    'aws_iam_role node',
  ],
  providers: [...aws('~> 6.0'), ['tls', 'hashicorp/tls', '~> 4.0'], ['helm', 'hashicorp/helm', '>= 2.15']],
  calls: [
    ['endpoints', 'modules.example.com/platform/vpc/aws//modules/endpoints', '~> 2.0'],
    ['labels', 'git::https://git.example.com/platform/labels.git?ref=v3'],
  ],
};

export const postgres: PlannedFolder = {
  readme:
    '# PostgreSQL on Google Cloud\n\nAn instance with backups, private address and a maintenance window.',
  inputs: [
    ['name', 'string', 'Name of the instance'],
    ['network_id', 'string', 'Network for its private address'],
    ['tier', 'string', 'Machine type', '"db-custom-2-7680"'],
    ['database_version', 'string', 'Version', '"POSTGRES_16"'],
    ['backup_days', 'number', 'How long backups are kept', '7'],
    ['deletion_protection', 'bool', 'Whether deletion protection is on', 'true'],
  ],
  outputs: [
    ['connection_name', 'Connection name for the proxy', 'google_sql_database_instance.this.connection_name'],
    ['private_ip', 'Address within the network', 'google_sql_database_instance.this.private_ip_address'],
  ],
  resources: ['google_sql_database_instance this', 'google_sql_database app', 'google_sql_user app'],
  providers: [['google', 'hashicorp/google', '~> 6.8']],
};

export const bucket: PlannedFolder = {
  readme: '# Bucket\n\nA private bucket with object versioning.',
  inputs: [['name', 'string', 'Name of the bucket'], tags],
  outputs: [['arn', 'ARN of the bucket', 'aws_s3_bucket.this.arn']],
  resources: ['aws_s3_bucket this', 'aws_s3_bucket_public_access_block this'],
  providers: aws('~> 5.0'),
};

export const azure: PlannedFolder = {
  readme: '# Network on Azure\n\nHub and spokes. One hub per region; create spokes with `modules/spoke`.',
  inputs: [
    ['location', 'string', 'Region'],
    ['address_space', 'list(string)', 'Ranges of the hub'],
    ['firewall_sku', 'string', 'Tier of the firewall', '"Standard"'],
  ],
  outputs: [['hub_id', 'ID of the hub', 'azurerm_virtual_network.hub.id']],
  resources: ['azurerm_virtual_network hub', 'azurerm_firewall this', 'azurerm_route_table this'],
  providers: [['azurerm', 'hashicorp/azurerm', '>= 4.0, < 5.0']],
};

export const spoke: PlannedFolder = {
  readme: '# Spoke\n\nA network that reaches others through the hub.',
  inputs: [
    ['hub_id', 'string', 'ID of the hub'],
    ['address_space', 'list(string)', 'Ranges of the spoke'],
  ],
  outputs: [['subnet_ids', 'IDs by name', 'azurerm_subnet.this']],
  resources: ['azurerm_virtual_network spoke', 'azurerm_subnet this', 'azurerm_virtual_network_peering this'],
};

export const queue: PlannedFolder = {
  readme: '# Queue\n\nA queue with a dead-letter queue and alarms for both.',
  inputs: [
    ['name', 'string', 'Name of the queue'],
    ['max_receives', 'number', 'Attempts before a message goes to the dead-letter queue', '5'],
    ['alarm_topic_arn', 'string', 'Topic for alarms', 'null'],
  ],
  outputs: [
    ['url', 'URL of the queue', 'aws_sqs_queue.this.url'],
    ['dead_letter_url', 'URL of the dead-letter queue', 'aws_sqs_queue.dead.url'],
  ],
  resources: ['aws_sqs_queue this', 'aws_sqs_queue dead', 'aws_cloudwatch_metric_alarm age'],
  providers: aws('>= 5.40'),
};
