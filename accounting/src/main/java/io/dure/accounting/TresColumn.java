package io.dure.accounting;

import io.dure.model.accounting.TresAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Amounts of resources as a column has them: {@code cpu=4,mem=1024}, memory in MiB. */
final class TresColumn {
  private TresColumn() {}

  static String text(TresAmounts tres) {
    return tres.amounts().stream()
        .map(amount -> amount.name() + "=" + amount.amount())
        .collect(Collectors.joining(","));
  }

  static TresAmounts read(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return TresAmounts.NONE;
    }
    List<TresAmounts.Amount> amounts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int sign = part.lastIndexOf('=');
      amounts.add(
          new TresAmounts.Amount(
              part.substring(0, sign), Long.parseLong(part.substring(sign + 1))));
    }
    return new TresAmounts(amounts);
  }
}
