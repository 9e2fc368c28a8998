-- What was changed of the accounts, and by whom.

CREATE TABLE txn (
  id ${id},
  cluster_id INTEGER NOT NULL,
  at_time BIGINT NOT NULL,
  actor ${text} NOT NULL,
  action VARCHAR(64) NOT NULL,
  target ${long} NOT NULL,
  info ${long} NOT NULL
);

CREATE INDEX txn_by_time ON txn (cluster_id, at_time);
