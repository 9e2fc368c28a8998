package io.dure.model.cron;

/** A text that is no time of a crontab. */
public final class CronSyntaxException extends Exception {
  private static final long serialVersionUID = 1;

  CronSyntaxException(String message) {
    super(message);
  }
}
