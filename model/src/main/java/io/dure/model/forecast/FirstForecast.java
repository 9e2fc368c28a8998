package io.dure.model.forecast;

/** What was first told of a waiting job's start. */
public record FirstForecast(int jobId, JobStartForecast forecast) {}
