-- When the newest prices were computed; null for prices that an earlier release closed.
alter table model_state add column closed_at timestamptz;
