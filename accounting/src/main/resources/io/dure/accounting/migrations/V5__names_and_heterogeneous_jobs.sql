CREATE INDEX job_of_user_name ON job (cluster_id, user_name, end_time);
CREATE INDEX job_of_het ON job (cluster_id, het_leader);
