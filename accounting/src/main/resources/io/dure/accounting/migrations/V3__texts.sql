-- Scripts and environments by the SHA-256 of what they say, as the records of jobs name them.

CREATE TABLE job_text (
  id VARCHAR(64) PRIMARY KEY,
  content ${blob} NOT NULL
);
