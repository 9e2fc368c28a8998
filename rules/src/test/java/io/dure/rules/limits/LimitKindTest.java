package io.dure.rules.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.model.accounting.LimitKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every limit, also one that was added, has what the rules must know of it. */
@Tag("pure")
class LimitKindTest {
  /** Those of submission and of accrual count by themselves. */
  @ParameterizedTest
  @EnumSource
  void theNameSaysWhoseUseCounts(LimitKind limit) {
    assumeTrue(StartLimitKind.of(limit) != null);
    LimitScope named =
        limit.word().endsWith("PerUser")
            ? LimitScope.USER
            : limit.word().endsWith("PerAccount") ? LimitScope.ACCOUNT : LimitScope.ALL;
    assertEquals(named, LimitScope.of(limit));
  }

  /** Slurm has no reason for MaxTRESRunMins of an association. */
  @ParameterizedTest
  @EnumSource
  void whatKeepsAJobFromStartingHasAReason(LimitKind limit) {
    boolean hasReason =
        !LimitReason.assoc(limit, "cpu").equals("AssociationResourceLimit")
            || !LimitReason.qos(limit, "cpu").equals("QOSResourceLimit");
    boolean keepsFromStarting = StartLimitKind.of(limit) != null;
    assertEquals(keepsFromStarting && limit != LimitKind.MAX_TRES_RUN_MINS, hasReason);
  }
}
