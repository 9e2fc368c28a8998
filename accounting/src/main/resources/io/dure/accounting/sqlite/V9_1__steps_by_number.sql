-- SQLite has a table twice that has a key of several columns, with a row number and without: each
-- step that is read or written was looked for in both.
CREATE TABLE step_by_number (
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
)${keyed};

INSERT INTO step_by_number
SELECT cluster_id, job_id, attempt, step, step_name, exit_code, exit_signal, start_time, end_time,
  node_list, tasks, user_micros, system_micros, launched, used
FROM step ORDER BY cluster_id, job_id, attempt, step;

DROP TABLE step;
ALTER TABLE step_by_number RENAME TO step;
