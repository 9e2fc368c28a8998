-- What leaves the database once it is old, and reservations.

-- The submission of the last job that told of a text; it goes once all jobs of that time are gone.
ALTER TABLE job_text ADD COLUMN named_at BIGINT NOT NULL DEFAULT ${never};

-- Up to when records of a kind are gone.
CREATE TABLE purged (
  cluster_id INTEGER NOT NULL,
  kind VARCHAR(16) NOT NULL,
  until_time BIGINT NOT NULL,
  PRIMARY KEY (cluster_id, kind)
);

-- What rows of capacity and outage that are gone say of an hour.
CREATE TABLE cluster_past (
  cluster_id INTEGER NOT NULL,
  tres_id BIGINT NOT NULL,
  start_time BIGINT NOT NULL,
  total BIGINT NOT NULL,
  down BIGINT NOT NULL,
  planned_down BIGINT NOT NULL,
  PRIMARY KEY (cluster_id, tres_id, start_time)
);

-- A time of a reservation in which it had the same.
CREATE TABLE reservation (
  cluster_id INTEGER NOT NULL,
  resv_id INTEGER NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,
  name ${text} NOT NULL,
  node_list ${long} NOT NULL,
  tres ${long} NOT NULL,
  flags ${long} NOT NULL,
  users ${long} NOT NULL,
  accounts ${long} NOT NULL,
  PRIMARY KEY (cluster_id, resv_id, start_time)
);

CREATE INDEX reservation_by_end ON reservation (cluster_id, end_time);

ALTER TABLE job ADD COLUMN reservation ${text};
CREATE INDEX job_of_reservation ON job (cluster_id, reservation, end_time)${in_reservation};
