/**
 * SQL for sessions that are deleted some time after they end. The indexes of living sessions are usable only where a
 * query has exactly their condition, as text.
 */
export const endingSessions = `
      CREATE INDEX session_living_in_project ON session (project_id, created_time, id) WHERE status <> 'terminated';
      CREATE INDEX session_living_of_user ON session (user_id, created_time, id) WHERE status <> 'terminated';
      CREATE INDEX session_change_of_user ON session (user_id, change);
      CREATE INDEX session_ended ON session (updated_time) WHERE status = 'terminated';

      -- Only sessions that haven't ended are looked up by what they depend on.
      DROP INDEX session_target;
      DROP INDEX session_host;
      DROP INDEX session_host_set;
      CREATE INDEX session_living_target ON session (target_id) WHERE status IN ('pending', 'active');
      CREATE INDEX session_living_host ON session (host_id) WHERE status IN ('pending', 'active');
      CREATE INDEX session_living_host_set ON session (host_set_id) WHERE status IN ('pending', 'active');

      -- The only user who may know of the removed item; empty if its container decides.
      ALTER TABLE removed_item ADD COLUMN user_id TEXT NOT NULL DEFAULT '';
      CREATE INDEX removed_item_in_container ON removed_item (kind, container_id, change);
`;
