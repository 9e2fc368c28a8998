package io.dure.model.cron;

/**
 * The job that an entry of a crontab is, through all of its runs.
 *
 * @param jobId its id
 * @param entry the entry
 */
public record CronJob(int jobId, CronEntry entry) {}
