-- Sums of the resources that nearly every job has, together in a row; usage_sum keeps the others.

CREATE TABLE usage_usual (
  cluster_id INTEGER NOT NULL,
  span INTEGER NOT NULL,
  start_time BIGINT NOT NULL,
  owner_id BIGINT NOT NULL,
  cpu BIGINT NOT NULL,
  mem BIGINT NOT NULL,
  node BIGINT NOT NULL,
  billing BIGINT NOT NULL,
  gpu BIGINT NOT NULL,
  PRIMARY KEY (cluster_id, span, start_time, owner_id)
)${keyed};

INSERT INTO usage_usual (cluster_id, span, start_time, owner_id, cpu, mem, node, billing, gpu)
SELECT cluster_id, span, start_time, owner_id,
  SUM(CASE WHEN name = 'cpu' THEN seconds ELSE 0 END),
  SUM(CASE WHEN name = 'mem' THEN seconds ELSE 0 END),
  SUM(CASE WHEN name = 'node' THEN seconds ELSE 0 END),
  SUM(CASE WHEN name = 'billing' THEN seconds ELSE 0 END),
  SUM(CASE WHEN name = 'gres/gpu' THEN seconds ELSE 0 END)
FROM usage_sum JOIN tres ON tres.id = tres_id
WHERE name IN ('cpu', 'mem', 'node', 'billing', 'gres/gpu')
GROUP BY cluster_id, span, start_time, owner_id;

DELETE FROM usage_sum WHERE tres_id IN
  (SELECT id FROM tres WHERE name IN ('cpu', 'mem', 'node', 'billing', 'gres/gpu'));

-- Most jobs belong to no array and to no heterogeneous job.
DROP INDEX job_of_array${of_job};
DROP INDEX job_of_het${of_job};
CREATE INDEX job_of_array ON job (cluster_id, array_job_id)${in_array};
CREATE INDEX job_of_het ON job (cluster_id, het_leader)${in_het};

-- A question about a time of the past tells by them alone what had not been submitted by then.
DROP INDEX job_of_account${of_job};
DROP INDEX job_of_user_name${of_job};
DROP INDEX job_by_end${of_job};
CREATE INDEX job_of_account ON job (cluster_id, account, end_time, submit_time);
CREATE INDEX job_of_user_name ON job (cluster_id, user_name, end_time, submit_time);
CREATE INDEX job_by_end ON job (cluster_id, end_time, submit_time);
