package io.dure.core.controller.records;

import io.dure.core.forecast.Forecast;

/** What was first told of a waiting job's start. */
public record Foretold(int jobId, Forecast forecast) {}
