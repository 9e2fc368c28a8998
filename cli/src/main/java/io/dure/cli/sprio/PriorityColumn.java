package io.dure.cli.sprio;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.report.PriorityFactors;
import io.dure.protocol.Response;
import io.dure.surface.print.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The columns of priorities, by the letters of their formats. */
enum PriorityColumn implements TableColumn {
  AGE_NORM('a', "AGE"),
  AGE('A', "AGE"),
  ASSOC_NORM('b', "ASSOC"),
  ASSOC('B', "ASSOC"),
  CLUSTER('c', "CLUSTER"),
  FAIR_SHARE_NORM('f', "FAIRSHARE"),
  FAIR_SHARE('F', "FAIRSHARE"),
  JOB('i', "JOBID"),
  SIZE_NORM('j', "JOBSIZE"),
  SIZE('J', "JOBSIZE"),
  QOS_NAME('n', "QOSNAME"),
  NICE('N', "NICE"),
  ACCOUNT('o', "ACCOUNT"),
  PARTITION_NORM('p', "PARTITION"),
  PARTITION('P', "PARTITION"),
  QOS_NORM('q', "QOS"),
  QOS('Q', "QOS"),
  PARTITION_NAME('r', "PARTITION"),
  SITE('S', "SITE"),
  TRES_NORM('t', "TRES"),
  TRES('T', "TRES"),
  USER('u', "USER"),
  PRIORITY_NORM('y', "PRIORITY"),
  PRIORITY('Y', "PRIORITY");

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final Names names;

  PriorityColumn(char letter, String header) {
    names = new Names(letter, "", header);
  }

  @Override
  public Names names() {
    return names;
  }

  /** What a factor weighs, in the line of weights. */
  String weight(PrioritySettings.Weights weights) {
    return switch (this) {
      case JOB -> "Weights";
      case SITE -> "1";
      case AGE, AGE_NORM -> Long.toString(weights.age());
      case ASSOC, ASSOC_NORM -> Long.toString(weights.assoc());
      case FAIR_SHARE, FAIR_SHARE_NORM -> Long.toString(weights.fairShare());
      case SIZE, SIZE_NORM -> Long.toString(weights.jobSize());
      case PARTITION, PARTITION_NORM -> Long.toString(weights.partition());
      case QOS, QOS_NORM -> Long.toString(weights.qos());
      case TRES, TRES_NORM -> tres(weights.tres());
      case ACCOUNT, CLUSTER, NICE, PARTITION_NAME, PRIORITY, PRIORITY_NORM, QOS_NAME, USER -> "";
    };
  }

  private static String tres(Map<String, Double> weights) {
    List<String> parts = new ArrayList<>();
    weights.forEach(
        (name, weight) -> parts.add(name + "=" + String.format(Locale.ROOT, "%.0f", weight)));
    return parts.isEmpty() ? "(null)" : String.join(",", parts);
  }

  /** The value in the line of a job. */
  String value(Response.JobPriority job, PrioritySettings.Weights weights, String cluster) {
    PriorityFactors f = job.factors();
    return switch (this) {
      case JOB -> Integer.toString(job.jobId());
      case USER -> job.userName();
      case ACCOUNT -> job.account();
      case QOS_NAME -> job.qosName();
      case CLUSTER -> cluster;
      case PARTITION_NAME -> job.partition();
      case PRIORITY -> Long.toString(f.priority());
      case PRIORITY_NORM -> decimals("%.10f", (double) f.priority() / PriorityFactors.MOST);
      case SITE -> Long.toString(f.site());
      case NICE -> Long.toString(f.nice());
      case AGE_NORM -> norm(f.age());
      case AGE -> weighted(f.age(), weights.age());
      case ASSOC_NORM -> norm(f.assoc());
      case ASSOC -> weighted(f.assoc(), weights.assoc());
      case FAIR_SHARE_NORM -> norm(f.fairShare());
      case FAIR_SHARE -> weighted(f.fairShare(), weights.fairShare());
      case SIZE_NORM -> norm(f.jobSize());
      case SIZE -> weighted(f.jobSize(), weights.jobSize());
      case PARTITION_NORM -> norm(f.partition());
      case PARTITION -> weighted(f.partition(), weights.partition());
      case QOS_NORM -> norm(f.qos());
      case QOS -> weighted(f.qos(), weights.qos());
      case TRES_NORM -> tres(f.tres(), Map.of(), "%.7f");
      case TRES -> tres(f.tres(), weights.tres(), "%.0f");
    };
  }

  private static String tres(
      Map<String, Double> factors, Map<String, Double> weights, String format) {
    List<String> parts = new ArrayList<>();
    factors.forEach((name, factor) ->
        parts.add(name + "=" + decimals(format, factor * weights.getOrDefault(name, 1.0))));
    return String.join(",", parts);
  }

  private static String norm(double factor) {
    return decimals("%.7f", factor);
  }

  private static String weighted(double factor, long weight) {
    // To the even number of two that are as near, as C prints it.
    return Long.toString((long) StrictMath.rint(factor * weight));
  }

  private static String decimals(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
