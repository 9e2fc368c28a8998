-- A listing of a user's or an account's jobs finds them by the index alone: rows are wide and lie
-- apart. Most jobs are over within a week of their submission, so that what is listed of a time of the
-- past ended soon after it; the others are looked for by themselves.
ALTER TABLE job ADD COLUMN long_lived INTEGER
  GENERATED ALWAYS AS (CASE WHEN end_time - submit_time > 604800 THEN 1 ELSE 0 END) ${derived};

DROP INDEX job_of_account${of_job};
DROP INDEX job_of_user_name${of_job};
CREATE INDEX job_of_account ON job
  (cluster_id, account, long_lived, end_time, submit_time, eligible_time, job_id, attempt);
CREATE INDEX job_of_user_name ON job
  (cluster_id, user_name, long_lived, end_time, submit_time, eligible_time, job_id, attempt);
