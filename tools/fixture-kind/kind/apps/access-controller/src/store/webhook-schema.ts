export interface WebhookTable {
  id: string;
  project_id: string;
  name: string;
  description: string;
  created_time: number;
  updated_time: number;
  version: number;
  address: string;
  /** JSON. */
  events: string;
  fingerprint: string;
  sealed: Uint8Array;
  change: number;
}

/** SQL of the table of webhooks. */
export const webhookTables = `
      CREATE TABLE webhook (
        id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL REFERENCES scope (id),
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        created_time INTEGER NOT NULL,
        updated_time INTEGER NOT NULL,
        version INTEGER NOT NULL,
        address TEXT NOT NULL,
        events TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        sealed BLOB NOT NULL,
        change INTEGER NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX webhook_name ON webhook (project_id, name) WHERE name <> '';
      CREATE INDEX webhook_created ON webhook (created_time, id);
      CREATE INDEX webhook_created_in_project ON webhook (project_id, created_time, id);
      CREATE INDEX webhook_change ON webhook (change);
`;
