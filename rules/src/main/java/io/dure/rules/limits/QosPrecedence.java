package io.dure.rules.limits;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.config.PartitionConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which QOS bind a job: that of its partition stands before its own, unless its own says otherwise.
 *
 * @param tree the accounts
 * @param ofPartitions the names of the partitions' QOS, by partition
 */
public record QosPrecedence(AccountingTree tree, Map<String, String> ofPartitions) {
  public QosPrecedence {
    ofPartitions = Collections.unmodifiableMap(new TreeMap<>(ofPartitions));
  }

  /** The QOS of a cluster's jobs. */
  public static QosPrecedence of(AccountingTree tree, List<PartitionConfig> partitions) {
    Map<String, String> ofPartitions = new TreeMap<>();
    for (PartitionConfig partition : partitions) {
      if (partition.qos() != null) {
        ofPartitions.put(partition.name(), partition.qos());
      }
    }
    return new QosPrecedence(tree, ofPartitions);
  }

  /**
   * The QOS that bind a job in a partition, the one whose limits stand before the other's first.
   */
  public List<Qos> of(@Nullable String qos, String partition) {
    Qos own = qos == null ? null : tree.qos(qos);
    String name = ofPartitions.get(partition);
    return of(own, name == null ? null : tree.qos(name));
  }

  /** The same of a job's own QOS and that of its partition, null for none. */
  static List<Qos> of(@Nullable Qos own, @Nullable Qos theirs) {
    if (theirs == null) {
      return own == null ? List.of() : List.of(own);
    }
    if (own == null || own.id() == theirs.id()) {
      return List.of(theirs);
    }
    return own.has(QosFlag.OVER_PART_QOS) ? List.of(own, theirs) : List.of(theirs, own);
  }

  /** The partitions that have a QOS. */
  List<String> partitions(Qos qos) {
    List<String> names = new ArrayList<>();
    ofPartitions.forEach((partition, name) -> {
      if (name.equals(qos.name())) {
        names.add(partition);
      }
    });
    return names;
  }
}
