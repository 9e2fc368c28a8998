-- Names are equal only if all of their bytes are: neither case nor blanks at the end are left out.

ALTER TABLE cluster CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

ALTER TABLE job CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  MODIFY job_name MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  MODIFY partition_name MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  MODIFY node_list MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL;

ALTER TABLE step CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
  MODIFY node_list MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL;
