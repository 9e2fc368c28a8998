package io.dure.surface.squeue;

import io.dure.surface.facts.LazyTimestamps;

/**
 * How values of the listing are written.
 *
 * @param plainUnits whether amounts keep their unit ({@code --noconvert})
 * @param expandPatterns whether {@code %j} and the like in paths are filled in
 * @param taskListLimit the most characters of a list of array tasks
 * @param cluster the cluster's name, empty where no column asks for it
 * @param times how moments are written
 */
public record ListingStyle(
    boolean plainUnits,
    boolean expandPatterns,
    int taskListLimit,
    String cluster,
    LazyTimestamps times) {}
