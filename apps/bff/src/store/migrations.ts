/** Steps of the schema, each applied once, in order, in a transaction. A released step never changes. */
export const migrations: readonly { readonly name: string; readonly sql: readonly string[] }[] = [
  {
    name: '0001 first tables',
    sql: [
      `CREATE TABLE session (
        id TEXT NOT NULL PRIMARY KEY, secret_hash TEXT NOT NULL UNIQUE,
        person_id TEXT NOT NULL, person_name TEXT NOT NULL, login_name TEXT NOT NULL,
        environment TEXT NOT NULL, service TEXT NOT NULL, method TEXT NOT NULL,
        signed_in_at BIGINT NOT NULL, last_active_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
        address TEXT NOT NULL, client TEXT NOT NULL, ended TEXT, ended_at BIGINT)`,
      'CREATE INDEX session_person ON session (person_id)',
      'CREATE INDEX session_end ON session (ended_at)',
      `CREATE TABLE connection (
        session_id TEXT NOT NULL REFERENCES session (id), environment TEXT NOT NULL, service TEXT NOT NULL,
        account_id TEXT NOT NULL, account_name TEXT NOT NULL, login_name TEXT NOT NULL,
        token_id TEXT NOT NULL, sealed_token TEXT NOT NULL,
        connected_at BIGINT NOT NULL, expires_at BIGINT, refused BIGINT NOT NULL, method TEXT NOT NULL,
        confirmed_until BIGINT,
        PRIMARY KEY (session_id, environment, service))`,
      `CREATE TABLE no_access (
        session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE, environment TEXT NOT NULL,
        service TEXT NOT NULL, PRIMARY KEY (session_id, environment, service))`,
      `CREATE TABLE revocation (
        id TEXT NOT NULL PRIMARY KEY, session_id TEXT NOT NULL, environment TEXT NOT NULL, service TEXT NOT NULL,
        token_id TEXT NOT NULL, sealed_token TEXT NOT NULL,
        attempts BIGINT NOT NULL, next_attempt_at BIGINT NOT NULL, give_up_at BIGINT NOT NULL)`,
      'CREATE INDEX revocation_due ON revocation (next_attempt_at)',
      `CREATE TABLE sign_in_attempt (
        key TEXT NOT NULL PRIMARY KEY, failures BIGINT NOT NULL, next_allowed_at BIGINT NOT NULL, last_at BIGINT NOT NULL)`,
      'CREATE INDEX sign_in_attempt_last ON sign_in_attempt (last_at)',
      `CREATE TABLE preference (
        person_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (person_id, key))`,
      `CREATE TABLE audit (
        sequence BIGINT NOT NULL PRIMARY KEY, time BIGINT NOT NULL, intent BIGINT,
        person_id TEXT NOT NULL, person_name TEXT NOT NULL, login_name TEXT NOT NULL, session_id TEXT NOT NULL,
        address TEXT NOT NULL, environment TEXT NOT NULL, service TEXT NOT NULL, action TEXT NOT NULL,
        resource_kind TEXT NOT NULL, resource_id TEXT NOT NULL, resource_name TEXT NOT NULL,
        paths TEXT NOT NULL, decisions TEXT NOT NULL, revision_before TEXT, revision_after TEXT,
        outcome TEXT NOT NULL, problem TEXT, request_id TEXT NOT NULL,
        previous_hash TEXT NOT NULL, key_id TEXT NOT NULL, hash TEXT NOT NULL)`,
      'CREATE INDEX audit_intent ON audit (intent)',
      'CREATE INDEX audit_environment ON audit (environment, sequence)',
      'CREATE INDEX audit_person ON audit (person_id, sequence)',
      'CREATE INDEX audit_resource ON audit (lower(resource_id), sequence)',
      `CREATE TABLE audit_head (
        id BIGINT NOT NULL PRIMARY KEY, sequence BIGINT NOT NULL, hash TEXT NOT NULL, key_id TEXT, seal TEXT)`,
      `INSERT INTO audit_head (id, sequence, hash) VALUES (1, 0, '${'0'.repeat(64)}')`,
      'CREATE TABLE audit_open (intent BIGINT NOT NULL PRIMARY KEY, instance TEXT NOT NULL, sealed_wish TEXT NOT NULL)',
      `CREATE TABLE publish_run (
        id TEXT NOT NULL PRIMARY KEY, environment TEXT NOT NULL, person_id TEXT NOT NULL, state TEXT NOT NULL,
        revision BIGINT NOT NULL, plan TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
      // Plans are long, and old runs are looked for every minute.
      'CREATE INDEX publish_run_updated ON publish_run (updated_at, state)',
      'CREATE INDEX publish_run_person ON publish_run (person_id, environment, updated_at)',
      `CREATE TABLE publish_event (
        run_id TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, provider TEXT, text TEXT NOT NULL,
        failed BIGINT NOT NULL, PRIMARY KEY (run_id, id))`,
      `CREATE TABLE publish_upload (
        id TEXT NOT NULL PRIMARY KEY, run_id TEXT NOT NULL, provider_id TEXT NOT NULL, environment TEXT NOT NULL,
        person_id TEXT NOT NULL, file_name TEXT NOT NULL, size BIGINT NOT NULL, last_modified BIGINT NOT NULL,
        fingerprint TEXT NOT NULL, state TEXT NOT NULL, received BIGINT NOT NULL, delivered BIGINT NOT NULL,
        attempts BIGINT NOT NULL, delivery_started_at BIGINT, sha256 TEXT, problem_code TEXT, problem_detail TEXT,
        retry TEXT, session_id TEXT, token_id TEXT, sealed_token TEXT, token_expires_at BIGINT, username TEXT,
        worker TEXT, lease_until BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
        expires_at BIGINT, UNIQUE (run_id, provider_id))`,
      'CREATE INDEX publish_upload_file ON publish_upload (person_id, size, fingerprint)',
      'CREATE INDEX publish_upload_token ON publish_upload (token_id)',
      'CREATE INDEX publish_upload_state ON publish_upload (state)',
      `CREATE TABLE known_cluster (
        environment TEXT NOT NULL PRIMARY KEY, mode TEXT NOT NULL, cluster_id TEXT, cluster_address TEXT,
        seen_at BIGINT NOT NULL)`,
      'CREATE TABLE audit_key (id TEXT NOT NULL PRIMARY KEY, sealed_key TEXT NOT NULL, created_at BIGINT NOT NULL)',
      `CREATE TABLE move (
        id TEXT NOT NULL PRIMARY KEY, environment TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
        pause_reason TEXT, pause_detail TEXT, pause_while TEXT, waits_until BIGINT, revision BIGINT NOT NULL,
        person_id TEXT NOT NULL, person_name TEXT NOT NULL, address TEXT NOT NULL, used_token BIGINT NOT NULL,
        sealed_source TEXT, session_id TEXT, token_id TEXT, sealed_token TEXT, username TEXT,
        expanded BIGINT NOT NULL, unapplied BIGINT NOT NULL DEFAULT 0, pass BIGINT NOT NULL, planned_at BIGINT, worker TEXT, lease_until BIGINT NOT NULL, created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL, request_id TEXT NOT NULL)`,
      'CREATE INDEX move_environment ON move (environment, created_at)',
      'CREATE INDEX move_token ON move (token_id)',
      'CREATE INDEX move_person ON move (person_id, state, updated_at)',
      // Megabytes, which SQLite would read to find the columns behind them, and write whenever one changes.
      `CREATE TABLE move_text (
        move_id TEXT NOT NULL PRIMARY KEY REFERENCES move (id) ON DELETE CASCADE,
        choice TEXT NOT NULL, wanted TEXT NOT NULL)`,
      `CREATE TABLE move_item (
        id TEXT NOT NULL PRIMARY KEY, move_id TEXT NOT NULL, name TEXT NOT NULL, owner TEXT NOT NULL, name_here TEXT NOT NULL,
        chosen BIGINT NOT NULL, is_here BIGINT NOT NULL, is_private BIGINT, weight BIGINT NOT NULL DEFAULT 0,
        short_description TEXT NOT NULL, description TEXT NOT NULL, source_url TEXT NOT NULL, newest TEXT, pass BIGINT NOT NULL, usable BIGINT NOT NULL,
        clashes TEXT NOT NULL, refused TEXT NOT NULL, problem_code TEXT, problem_detail TEXT, UNIQUE (move_id, name))`,
      // With the weight, so that the items of a user are summed up in the index.
      'CREATE INDEX move_item_pass ON move_item (move_id, pass, weight)',
      `CREATE TABLE move_version (
        id TEXT NOT NULL PRIMARY KEY, move_id TEXT NOT NULL, item_id TEXT NOT NULL, version TEXT NOT NULL,
        rank BIGINT NOT NULL, priority BIGINT NOT NULL, description TEXT NOT NULL, status TEXT NOT NULL, status_here TEXT,
        chosen BIGINT NOT NULL, differs TEXT NOT NULL, completes BIGINT NOT NULL, phase TEXT NOT NULL,
        released BIGINT NOT NULL, agreed BIGINT NOT NULL)`,
      'CREATE INDEX move_version_item ON move_version (item_id, rank)',
      'CREATE INDEX move_version_phase ON move_version (move_id, phase, priority)',
      // Sums are read from this index only.
      'CREATE INDEX move_version_move ON move_version (move_id, id, chosen, status_here)',
      "CREATE INDEX move_version_left ON move_version (item_id, chosen) WHERE phase <> 'done'",
      `CREATE TABLE move_piece (
        id TEXT NOT NULL PRIMARY KEY, move_id TEXT NOT NULL, item_id TEXT NOT NULL, version_id TEXT NOT NULL,
        priority BIGINT NOT NULL, place BIGINT NOT NULL, provider TEXT NOT NULL, architecture TEXT NOT NULL,
        is_default BIGINT, hosted BIGINT NOT NULL, url TEXT NOT NULL, checksum TEXT NOT NULL,
        checksum_type TEXT NOT NULL, size BIGINT, image_here TEXT NOT NULL DEFAULT '', plan TEXT NOT NULL, plan_detail TEXT NOT NULL, state TEXT NOT NULL,
        detail TEXT NOT NULL, received BIGINT NOT NULL, reserved BIGINT NOT NULL DEFAULT 0, validator TEXT NOT NULL, sha256 TEXT NOT NULL,
        attempts BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
      // Sums and names are read from this index only.
      'CREATE INDEX move_piece_move ON move_piece (move_id, id, state, size, received, provider, architecture)',
      'CREATE INDEX move_piece_next ON move_piece (move_id, state, priority, item_id, place)',
      'CREATE INDEX move_piece_item ON move_piece (item_id, state)',
      'CREATE INDEX move_piece_version ON move_piece (version_id, state)',
      // A few of a million rows, read every minute and whenever something is received. Statements must repeat the
      // condition literally.
      "CREATE INDEX move_piece_spooled ON move_piece (id) WHERE received > 0 OR state = 'copying'",
      `CREATE TABLE move_event (
        move_id TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, item TEXT, text TEXT NOT NULL,
        failed BIGINT NOT NULL, PRIMARY KEY (move_id, id))`,
      'CREATE INDEX audit_request ON audit (request_id) WHERE intent IS NULL',
      "CREATE INDEX audit_named ON audit (resource_id, sequence) WHERE resource_name <> ''",
      "CREATE INDEX audit_sign_in ON audit (person_id, intent) WHERE action = 'console-session.sign-in'",
      'CREATE TABLE uploads_folder (id TEXT NOT NULL PRIMARY KEY, seen_at BIGINT NOT NULL, environments TEXT NOT NULL)',
      'CREATE TABLE turn (id TEXT NOT NULL PRIMARY KEY, worker TEXT NOT NULL, lease_until BIGINT NOT NULL)',
      'CREATE TABLE audit_values (intent BIGINT NOT NULL PRIMARY KEY, time BIGINT NOT NULL, sealed TEXT NOT NULL)',
      'CREATE INDEX audit_values_time ON audit_values (time)',
      `CREATE TABLE secret_date (
        environment TEXT NOT NULL, mount TEXT NOT NULL, folder TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL,
        at BIGINT NOT NULL, PRIMARY KEY (environment, mount, path, kind))`,
      'CREATE INDEX secret_date_folder ON secret_date (environment, mount, folder, at)',
    ],
  },
];
