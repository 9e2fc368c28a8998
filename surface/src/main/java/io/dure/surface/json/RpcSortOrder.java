package io.dure.surface.json;

import io.dure.protocol.StatisticsInfo.Calls;
import java.util.Comparator;

/** The order in which requests are listed; equal ones go by number. */
public enum RpcSortOrder {
  COUNT,
  ID,
  TIME,
  AVERAGE;

  /** Compares requests. */
  public Comparator<Calls> order() {
    Comparator<Calls> byId = Comparator.comparingLong(calls -> Integer.toUnsignedLong(calls.id()));
    return switch (this) {
      case ID -> byId;
      case COUNT -> Comparator.comparingLong(Calls::count).reversed().thenComparing(byId);
      case TIME -> Comparator.comparingLong(Calls::micros).reversed().thenComparing(byId);
      case AVERAGE ->
          Comparator.comparingLong(RpcSortOrder::average).reversed().thenComparing(byId);
    };
  }

  /** Microseconds for one. */
  public static long average(Calls calls) {
    return calls.count() == 0 ? 0 : calls.micros() / calls.count();
  }
}
