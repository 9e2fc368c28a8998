package io.dure.controller.replica;

/** Says what an administrator should see. */
interface AdminNotices {
  /** In the log. */
  void info(String line);

  /** In the log, as an error. */
  void error(String line);
}
