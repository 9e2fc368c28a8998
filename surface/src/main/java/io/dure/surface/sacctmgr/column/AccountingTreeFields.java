package io.dure.surface.sacctmgr.column;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AmountFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns of accounts, users, associations and the cluster. */
public final class AccountingTreeFields {
  public static final String ACCOUNT = "account,description,organization";

  public static final String USER = "user,defaultaccount,adminlevel";

  public static final String USER_WITH_WCKEY = "user,defaultaccount,defaultwckey,adminlevel";

  public static final String ASSOCIATION =
      "cluster,account,user,partition,share,priority,grpjobs,grptres,grpsubmitjobs,grpwall,"
          + "grptresmins,maxjobs,maxtres,maxtrespernode,maxsubmitjobs,maxwall,maxtresmins,qos,"
          + "defaultqos,grptresrunmins";

  public static final String ASSOCIATION_IN_SHORT = "cluster,account,user,partition";

  public static final String OF_USER =
      "cluster,account,partition,share,priority,maxjobs,maxnodes,maxcpus,maxsubmitjobs,"
          + "maxwall,maxcpumins,qos,defaultqos";

  public static final String OF_ACCOUNT =
      "cluster,parentname,user,share,priority,grpjobs,grpnodes,grpcpus,grpmem,grpsubmitjobs,"
          + "grpwall,grpcpumins,maxjobs,maxnodes,maxcpus,maxsubmitjobs,maxwall,maxcpumins,qos,"
          + "defaultqos";

  public static final List<AccountingField<AccountingTreeRow>> ALL =
      List.of(
          field("Account", 10, AccountingTreeFields::account, "account acct"),
          field("User", 10, AccountingTreeFields::user, "user name"),
          field("Comment", 20, r -> own(r, Association::comment), "comment"),
          field("Cluster", 10, AccountingTreeRow::cluster, "cluster"),
          field("Descr", 20, r -> of(r.account(), Account::description), "description"),
          field("Org", 20, r -> of(r.account(), Account::organization), "organization"),
          field("Coord Accounts", 20, AccountingTreeRow::coordinated, "coordinators"),
          field("Def Acct", 10, AccountingTreeFields::defaultAccount, "defaultaccount"),
          field("Admin", 9, AccountingTreeFields::admin, "adminlevel"),
          field("Def WCKey", 10, AccountingTreeFields::defaultWckey, "defaultwckey"),
          field("Partition", 10, r -> own(r, Association::partition), "partition"),
          field("Share", 9, AccountingTreeFields::share, "share fairshare rawshares"),
          field("Priority", 10, AccountingTreeFields::priority, "priority"),
          field("ParentName", 10, r -> own(r, Association::parent), "parentname"),
          field("ID", 6, r -> of(r.association(), a -> Integer.toString(a.id())), "id"),
          field("ParentID", 8, r -> of(r.place(), p -> Integer.toString(p.parent())), "parentid"),
          field("LFT", 6, r -> of(r.place(), p -> Integer.toString(p.left())), "lft"),
          field("RGT", 6, r -> of(r.place(), p -> Integer.toString(p.right())), "rgt"),
          field("QOS", 20, r -> own(r, a -> String.join(",", a.qos())), "qos qoslevel"),
          field("Def QOS", 9, r -> own(r, Association::defaultQos), "defaultqos defqos"),
          limit("GrpTRES", 13, LimitKind.GRP_TRES, "grptres"),
          limit("GrpTRESMins", 13, LimitKind.GRP_TRES_MINS, "grptresmins"),
          limit("GrpTRESRunMins", 13, LimitKind.GRP_TRES_RUN_MINS, "grptresrunmins"),
          limit("GrpJobs", 7, LimitKind.GRP_JOBS, "grpjobs"),
          limit("GrpJobsAccrue", 13, LimitKind.GRP_JOBS_ACCRUE, "grpjobsaccrue"),
          limit("GrpSubmit", 9, LimitKind.GRP_SUBMIT_JOBS, "grpsubmitjobs"),
          limit("GrpWall", 11, LimitKind.GRP_WALL, "grpwall"),
          limit("MaxJobs", 7, LimitKind.MAX_JOBS, "maxjobs"),
          limit("MaxJobsAccrue", 13, LimitKind.MAX_JOBS_ACCRUE, "maxjobsaccrue"),
          limit("MaxTRES", 13, LimitKind.MAX_TRES_PER_JOB, "maxtres maxtresperjob"),
          limit("MaxTRESPerNode", 14, LimitKind.MAX_TRES_PER_NODE, "maxtrespernode"),
          limit("MaxSubmit", 9, LimitKind.MAX_SUBMIT_JOBS, "maxsubmitjobs"),
          limit("MaxWall", 11, LimitKind.MAX_WALL, "maxwall maxwalldurationperjob"),
          limit(
              "MaxTRESMins", 13, LimitKind.MAX_TRES_MINS_PER_JOB, "maxtresmins maxtresminsperjob"),
          limit("MaxTRESRunMins", 14, LimitKind.MAX_TRES_RUN_MINS, "maxtresrunmins"),
          limit("MinPrioThres", 12, LimitKind.MIN_PRIO_THRESHOLD, "minpriothreshold"),
          one("GrpCPUs", 8, LimitKind.GRP_TRES, TresAmounts.CPU, "grpcpus"),
          one("GrpMem", 7, LimitKind.GRP_TRES, TresAmounts.MEMORY, "grpmemory"),
          one("GrpNodes", 8, LimitKind.GRP_TRES, TresAmounts.NODE, "grpnodes"),
          one("GrpCPUMins", 11, LimitKind.GRP_TRES_MINS, TresAmounts.CPU, "grpcpumins"),
          one("GrpCPURunMins", 13, LimitKind.GRP_TRES_RUN_MINS, TresAmounts.CPU, "grpcpurunmins"),
          one("MaxCPUs", 8, LimitKind.MAX_TRES_PER_JOB, TresAmounts.CPU, "maxcpusperjob"),
          one("MaxNodes", 8, LimitKind.MAX_TRES_PER_JOB, TresAmounts.NODE, "maxnodesperjob"),
          one("MaxCPUMins", 11, LimitKind.MAX_TRES_MINS_PER_JOB, TresAmounts.CPU, "maxcpumins"));

  private AccountingTreeFields() {}

  private static AccountingField<AccountingTreeRow> field(
      String header, int width, Function<AccountingTreeRow, String> value, String names) {
    return new AccountingField<>(header, List.of(names.split(" ", -1)), width, value);
  }

  private static AccountingField<AccountingTreeRow> limit(
      String header, int width, LimitKind limit, String names) {
    return field(header, width, r -> AmountFormat.text(r.limits(), limit), names);
  }

  private static AccountingField<AccountingTreeRow> one(
      String header, int width, LimitKind limit, String tres, String names) {
    return field(header, width, r -> amount(r.limits().tres(limit), tres), names);
  }

  /** The amount of one resource, empty if there is none. */
  public static String amount(TresAmounts amounts, String tres) {
    for (TresAmounts.Amount amount : amounts.amounts()) {
      if (amount.name().equals(tres)) {
        return Long.toString(amount.amount());
      }
    }
    return "";
  }

  /** The column of accounts as {@code tree} prints it. */
  public static AccountingField<AccountingTreeRow> indented(
      AccountingField<AccountingTreeRow> column) {
    return column.header().equals("Account")
        ? new AccountingField<>(
            "Account", column.names(), -20, r -> " ".repeat(r.depth()) + account(r))
        : column;
  }

  private static <T> String of(@Nullable T value, Function<T, String> text) {
    return value == null ? "" : text.apply(value);
  }

  private static String own(AccountingTreeRow row, Function<Association, @Nullable String> text) {
    Association association = row.association();
    return association == null ? "" : Objects.requireNonNullElse(text.apply(association), "");
  }

  private static String account(AccountingTreeRow row) {
    return row.association() != null
        ? row.association().account()
        : of(row.account(), Account::name);
  }

  private static String user(AccountingTreeRow row) {
    return row.association() != null
        ? Objects.requireNonNullElse(row.association().user(), "")
        : of(row.user(), u -> u.name());
  }

  private static String defaultAccount(AccountingTreeRow row) {
    return of(row.user(), u -> u.defaultAccount());
  }

  private static String defaultWckey(AccountingTreeRow row) {
    return of(row.user(), u -> Objects.requireNonNullElse(u.defaultWckey(), ""));
  }

  private static String admin(AccountingTreeRow row) {
    return of(row.user(), u -> u.adminLevel().word());
  }

  private static String share(AccountingTreeRow row) {
    return of(row.association(), AccountingTreeFields::share);
  }

  public static String share(Association association) {
    return association.shares() == null ? "parent" : Long.toString(association.shares());
  }

  private static String priority(AccountingTreeRow row) {
    Association association = row.association();
    return association == null || association.priority() == null
        ? ""
        : Long.toString(association.priority());
  }
}
