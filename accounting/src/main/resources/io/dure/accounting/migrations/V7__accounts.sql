-- The accounts of clusters that share a slurmdbd. A cluster without them keeps them itself.

ALTER TABLE cluster ADD COLUMN tree_version BIGINT DEFAULT -1 NOT NULL;
ALTER TABLE cluster ADD COLUMN next_association INTEGER DEFAULT 0 NOT NULL;
ALTER TABLE cluster ADD COLUMN next_qos INTEGER DEFAULT 0 NOT NULL;
ALTER TABLE cluster ADD COLUMN host VARCHAR(255) DEFAULT '' NOT NULL;
ALTER TABLE cluster ADD COLUMN port INTEGER DEFAULT 0 NOT NULL;

CREATE TABLE account_part (
  cluster_id INTEGER NOT NULL,
  kind VARCHAR(16) NOT NULL,
  name ${text} NOT NULL,
  settings ${blob} NOT NULL,
  PRIMARY KEY (cluster_id, kind, name)
);
