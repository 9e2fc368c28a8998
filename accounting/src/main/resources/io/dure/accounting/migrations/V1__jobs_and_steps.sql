-- Times are seconds since 1970; what has not come yet is ${never}.

CREATE TABLE cluster (
  id ${id},
  name VARCHAR(200) NOT NULL UNIQUE,
  origin VARCHAR(64) NOT NULL,
  position BIGINT NOT NULL
);

CREATE TABLE job (
  cluster_id INTEGER NOT NULL,
  job_id INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  array_job_id INTEGER,
  het_leader INTEGER,
  uid BIGINT NOT NULL,
  gid BIGINT NOT NULL,
  user_name ${text} NOT NULL,
  group_name ${text} NOT NULL,
  account ${text},
  qos ${text},
  partition_name ${text},
  wckey ${text},
  job_name ${text} NOT NULL,
  state VARCHAR(16) NOT NULL,
  exit_code INTEGER NOT NULL,
  exit_signal INTEGER NOT NULL,
  submit_time BIGINT NOT NULL,
  eligible_time BIGINT NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,
  suspended_seconds BIGINT NOT NULL,
  cpus INTEGER NOT NULL,
  memory_mib BIGINT NOT NULL,
  nodes INTEGER NOT NULL,
  gpus BIGINT NOT NULL,
  node_list ${text} NOT NULL,
  requeued INTEGER NOT NULL,
  record ${blob} NOT NULL,
  PRIMARY KEY (cluster_id, job_id, attempt)
);

CREATE INDEX job_of_user ON job (cluster_id, uid, end_time);
CREATE INDEX job_of_account ON job (cluster_id, account, end_time);
CREATE INDEX job_by_end ON job (cluster_id, end_time);
CREATE INDEX job_of_array ON job (cluster_id, array_job_id);

CREATE TABLE step (
  cluster_id INTEGER NOT NULL,
  job_id INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  step INTEGER NOT NULL,
  step_name ${text} NOT NULL,
  exit_code INTEGER NOT NULL,
  exit_signal INTEGER NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,
  node_list ${text} NOT NULL,
  tasks INTEGER NOT NULL,
  user_micros BIGINT NOT NULL,
  system_micros BIGINT NOT NULL,
  launched ${blob},
  used ${blob},
  PRIMARY KEY (cluster_id, job_id, attempt, step)
);
