package io.dure.core.scheduler.limits;

import io.dure.core.accounting.TresAmounts;
import org.jspecify.annotations.Nullable;

/**
 * What a job would take if it started now.
 *
 * @param user its owner's name
 * @param account its account, null for none
 * @param qos its QOS, null for none
 * @param partition where it would run
 * @param tres what it would hold
 * @param minutes its time limit, null for none
 */
public record Demand(
    String user,
    @Nullable String account,
    @Nullable String qos,
    String partition,
    TresAmounts tres,
    @Nullable Long minutes) {}
