package io.dure.core.history.forecast;

/** What was first told of a waiting job's start. */
public record Foretold(int jobId, Forecast forecast) {}
