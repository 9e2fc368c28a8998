package io.dure.surface.sacctmgr.column;

import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AmountFormat;
import io.dure.surface.print.ElapsedTimeFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns of QOS. */
public final class QosFields {
  public static final String USUAL =
      "name,priority,gracetime,preempt,preemptexempttime,preemptmode,flags,usagethreshold,"
          + "usagefactor,grptres,grptresmins,grptresrunmins,grpjobs,grpsubmitjobs,grpwall,maxtres,"
          + "maxtrespernode,maxtresmins,maxwall,maxtresperuser,maxjobsperuser,maxsubmitjobsperuser,"
          + "maxtresperaccount,maxjobsperaccount,maxsubmitjobsperaccount,mintres";

  public static final List<AccountingField<Qos>> ALL =
      List.of(
          field("Name", 10, Qos::name, "name qos"),
          field("Descr", 20, Qos::description, "description"),
          field("ID", 6, q -> Integer.toString(q.id()), "id"),
          field("Priority", 10, q -> Long.toString(q.priority()), "priority"),
          field(
              "GraceTime", 10, q -> ElapsedTimeFormat.full(q.graceTime().toSeconds()), "gracetime"),
          field("Preempt", 10, q -> String.join(",", q.preempt()), "preempt"),
          field("PreemptExemptTime", 19, QosFields::exempt, "preemptexempttime"),
          field("PreemptMode", 11, q -> mode(q), "preemptmode"),
          field("Flags", 40, QosFields::flags, "flags"),
          field("UsageThres", 10, q -> decimal(q.usageThreshold()), "usagethreshold"),
          field("UsageFactor", 11, q -> decimal(q.usageFactor()), "usagefactor"),
          field("LimitFactor", 11, q -> decimal(q.limitFactor()), "limitfactor"),
          limit("GrpTRES", 13, LimitKind.GRP_TRES, "grptres"),
          limit("GrpTRESMins", 13, LimitKind.GRP_TRES_MINS, "grptresmins"),
          limit("GrpTRESRunMins", 13, LimitKind.GRP_TRES_RUN_MINS, "grptresrunmins"),
          limit("GrpJobs", 7, LimitKind.GRP_JOBS, "grpjobs"),
          limit("GrpJobsAccrue", 13, LimitKind.GRP_JOBS_ACCRUE, "grpjobsaccrue"),
          limit("GrpSubmit", 9, LimitKind.GRP_SUBMIT_JOBS, "grpsubmitjobs"),
          limit("GrpWall", 11, LimitKind.GRP_WALL, "grpwall"),
          limit("MaxTRES", 13, LimitKind.MAX_TRES_PER_JOB, "maxtres maxtresperjob"),
          limit("MaxTRESPerNode", 14, LimitKind.MAX_TRES_PER_NODE, "maxtrespernode"),
          limit(
              "MaxTRESMins", 13, LimitKind.MAX_TRES_MINS_PER_JOB, "maxtresmins maxtresminsperjob"),
          limit("MaxWall", 11, LimitKind.MAX_WALL, "maxwall maxwalldurationperjob"),
          limit("MaxTRESPU", 13, LimitKind.MAX_TRES_PER_USER, "maxtrespu maxtresperuser"),
          limit("MaxJobsPU", 9, LimitKind.MAX_JOBS_PER_USER, "maxjobspu maxjobsperuser maxjobs"),
          limit(
              "MaxSubmitPU",
              11,
              LimitKind.MAX_SUBMIT_JOBS_PER_USER,
              "maxsubmitpu maxsubmitjobspu maxsubmitjobsperuser"),
          limit("MaxTRESPA", 13, LimitKind.MAX_TRES_PER_ACCOUNT, "maxtrespa maxtresperaccount"),
          limit("MaxJobsPA", 9, LimitKind.MAX_JOBS_PER_ACCOUNT, "maxjobspa maxjobsperaccount"),
          limit(
              "MaxSubmitPA",
              11,
              LimitKind.MAX_SUBMIT_JOBS_PER_ACCOUNT,
              "maxsubmitpa maxsubmitjobspa maxsubmitjobsperaccount"),
          limit(
              "MaxTRESRunMinsPU",
              15,
              LimitKind.MAX_TRES_RUN_MINS_PER_USER,
              "maxtresrunminspu maxtresrunminsperuser"),
          limit(
              "MaxTRESRunMinsPA",
              15,
              LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT,
              "maxtresrunminspa maxtresrunminsperaccount"),
          limit(
              "MaxJobsAccruePU",
              15,
              LimitKind.MAX_JOBS_ACCRUE_PER_USER,
              "maxjobsaccruepu maxjobsaccrueperuser"),
          limit(
              "MaxJobsAccruePA",
              15,
              LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT,
              "maxjobsaccruepa maxjobsaccrueperaccount"),
          limit("MinPrioThres", 12, LimitKind.MIN_PRIO_THRESHOLD, "minpriothreshold"),
          limit("MinTRES", 13, LimitKind.MIN_TRES_PER_JOB, "mintres mintresperjob"),
          one("GrpCPUs", 8, LimitKind.GRP_TRES, TresAmounts.CPU, "grpcpus"),
          one("GrpMem", 7, LimitKind.GRP_TRES, TresAmounts.MEMORY, "grpmemory"),
          one("GrpNodes", 8, LimitKind.GRP_TRES, TresAmounts.NODE, "grpnodes"),
          one("GrpCPUMins", 11, LimitKind.GRP_TRES_MINS, TresAmounts.CPU, "grpcpumins"),
          one("MaxCPUs", 8, LimitKind.MAX_TRES_PER_JOB, TresAmounts.CPU, "maxcpus maxcpusperjob"),
          one(
              "MaxNodes",
              8,
              LimitKind.MAX_TRES_PER_JOB,
              TresAmounts.NODE,
              "maxnodes maxnodesperjob"),
          one(
              "MaxCPUsPU",
              9,
              LimitKind.MAX_TRES_PER_USER,
              TresAmounts.CPU,
              "maxcpuspu maxcpusperuser"),
          one(
              "MaxNodesPU",
              10,
              LimitKind.MAX_TRES_PER_USER,
              TresAmounts.NODE,
              "maxnodespu maxnodesperuser"),
          one("MinCPUs", 8, LimitKind.MIN_TRES_PER_JOB, TresAmounts.CPU, "mincpus mincpusperjob"));

  private QosFields() {}

  private static AccountingField<Qos> field(
      String header, int width, Function<Qos, String> value, String names) {
    return new AccountingField<>(header, List.of(names.split(" ", -1)), width, value);
  }

  private static AccountingField<Qos> limit(
      String header, int width, LimitKind limit, String names) {
    return field(header, width, q -> AmountFormat.text(q.limits(), limit), names);
  }

  private static AccountingField<Qos> one(
      String header, int width, LimitKind limit, String tres, String names) {
    return field(
        header, width, q -> AccountingTreeFields.amount(q.limits().tres(limit), tres), names);
  }

  public static String mode(Qos qos) {
    return Objects.requireNonNullElse(qos.preemptMode(), "cluster");
  }

  private static String exempt(Qos qos) {
    return qos.exemptTime() == null ? "" : ElapsedTimeFormat.full(qos.exemptTime().toSeconds());
  }

  private static String decimal(@Nullable Double number) {
    return number == null ? "" : String.format(Locale.ROOT, "%.6f", number);
  }

  public static String flags(Qos qos) {
    return String.join(",", qos.flags().stream().map(flag -> flag.word()).toList());
  }
}
