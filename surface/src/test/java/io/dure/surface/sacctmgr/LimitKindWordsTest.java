package io.dure.surface.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.accounting.LimitKind;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.sacctmgr.column.AccountingTreeFields;
import io.dure.surface.sacctmgr.column.QosFields;
import io.dure.surface.sacctmgr.keyword.LimitKeyword;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every limit, also one that was added, can be set, shown and dumped. */
@Tag("pure")
class LimitKindWordsTest {
  @ParameterizedTest
  @EnumSource
  void aLimitCanBeSetShownAndDumped(LimitKind limit) {
    boolean ofAssociations = isSet(limit, false);
    boolean ofQos = isSet(limit, true);
    assertTrue(ofAssociations || ofQos, "LimitKeyword");
    assertEquals(ofAssociations, isShown(limit, AccountingTreeFields.ALL), "AccountingTreeFields");
    assertTrue(!ofQos || isShown(limit, QosFields.ALL), "QosFields");
    assertEquals(ofAssociations, SacctmgrDump.ORDER.contains(limit), "SacctmgrDump");
  }

  private static boolean isSet(LimitKind limit, boolean ofQos) {
    LimitKeyword found = LimitKeyword.find(limit.word(), ofQos);
    return found != null && found.limit() == limit;
  }

  private static <T> boolean isShown(LimitKind limit, List<AccountingField<T>> fields) {
    String word = limit.word().toLowerCase(Locale.ROOT);
    return fields.stream().flatMap(field -> field.names().stream()).anyMatch(word::equals);
  }
}
