package io.dure.surface.sacctmgr.column;

import io.dure.model.federation.FederatedCluster;
import io.dure.surface.accounts.AccountingField;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The columns of federations. */
public final class FederationFields {
  public static final String USUAL = "federation,cluster,id%2,features,fedstate";

  /**
   * A line.
   *
   * @param federation its name, empty where a line above has it
   * @param cluster one of its clusters, null for a federation by itself
   */
  public record Row(String federation, @Nullable FederatedCluster cluster) {}

  /** Those that tell something. */
  public static final List<AccountingField<Row>> TELLING =
      List.of(
          new AccountingField<>("Federation", List.of("federation"), 10, Row::federation),
          field("Cluster", 10, FederatedCluster::name),
          field("ID", 6, one -> Integer.toString(one.id())),
          field("Features", 20, one -> String.join(",", one.features())),
          field("FedState", 12, one -> one.state().word()),
          field("FedStateRaw", 11, one -> Integer.toString(one.state().number())));

  /** All that can be asked for. */
  public static final List<AccountingField<Row>> ALL =
      Stream.concat(
              TELLING.stream(),
              Stream.of(
                  field("Flags", 20, _ -> ""),
                  new AccountingField<>("Name", List.of("name"), 10, Row::federation)))
          .toList();

  private FederationFields() {}

  private static AccountingField<Row> field(
      String header, int width, Function<FederatedCluster, String> value) {
    return new AccountingField<>(
        header,
        List.of(header.toLowerCase(Locale.ROOT)),
        width,
        row -> row.cluster() == null ? "" : value.apply(row.cluster()));
  }
}
