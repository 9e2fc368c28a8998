-- What was used, by hour, day and month; what the cluster had, and what of it was away.

ALTER TABLE cluster ADD COLUMN summed INTEGER NOT NULL DEFAULT 0;

ALTER TABLE job ADD COLUMN tres_alloc ${long};
ALTER TABLE job ADD COLUMN tres_req ${long};

CREATE TABLE suspension (
  cluster_id INTEGER NOT NULL,
  job_id INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,
  PRIMARY KEY (cluster_id, job_id, attempt, start_time)
);

CREATE TABLE tres (
  id ${id},
  name VARCHAR(200)${exact} NOT NULL UNIQUE
);

-- To whom use is counted.
CREATE TABLE usage_owner (
  id ${id},
  cluster_id INTEGER NOT NULL,
  account ${text} NOT NULL,
  user_name ${text} NOT NULL,
  wckey ${text} NOT NULL
);

CREATE INDEX usage_owner_of_user ON usage_owner (cluster_id, user_name);

-- span: 0 for an hour, 1 for a day, 2 for a month, in the cluster's time zone.
CREATE TABLE usage_sum (
  cluster_id INTEGER NOT NULL,
  span INTEGER NOT NULL,
  tres_id BIGINT NOT NULL,
  start_time BIGINT NOT NULL,
  owner_id BIGINT NOT NULL,
  seconds BIGINT NOT NULL,
  PRIMARY KEY (cluster_id, span, tres_id, start_time, owner_id)
);

-- What all jobs held in an hour, and what jobs asked for that waited.
CREATE TABLE cluster_sum (
  cluster_id INTEGER NOT NULL,
  tres_id BIGINT NOT NULL,
  start_time BIGINT NOT NULL,
  seconds BIGINT NOT NULL,
  waited_seconds BIGINT NOT NULL,
  PRIMARY KEY (cluster_id, tres_id, start_time)
);

-- What the cluster had from a time on.
CREATE TABLE capacity (
  cluster_id INTEGER NOT NULL,
  start_time BIGINT NOT NULL,
  node_list ${long} NOT NULL,
  nodes INTEGER NOT NULL,
  tres ${long} NOT NULL,
  PRIMARY KEY (cluster_id, start_time)
);

-- Times in which a node took no jobs.
CREATE TABLE outage (
  cluster_id INTEGER NOT NULL,
  node VARCHAR(255)${exact} NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,
  state VARCHAR(64) NOT NULL,
  reason ${long} NOT NULL,
  reason_uid BIGINT NOT NULL,
  tres ${long} NOT NULL,
  PRIMARY KEY (cluster_id, node, start_time)
);

CREATE INDEX outage_by_end ON outage (cluster_id, end_time);
