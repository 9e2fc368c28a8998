package io.dure.surface.sacctmgr;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.Wckey;
import io.dure.surface.accounts.AmountFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes the tree into a file that can be loaded again. */
final class SacctmgrDump {
  private static final String HEAD =
      """
      # To edit this file start with a cluster line for the new cluster
      # Cluster - 'cluster_name':MaxTRESPerJob=node=50
      # Followed by Accounts you want in this fashion (root is created by default)...
      # Parent - 'root'
      # Account - 'cs':MaxTRESPerJob=node=5:MaxJobs=4:MaxTRESMinsPerJob=cpu=20:FairShare=399:MaxWallDurationPerJob=40:Description='Computer Science':Organization='LC'
      # Any of the options after a ':' can be left out and they can be in any order.
      # If you want to add any sub accounts just list the Parent THAT HAS ALREADY
      # BEEN CREATED before the account line in this fashion...
      # Parent - 'cs'
      # Account - 'test':MaxTRESPerJob=node=1:MaxJobs=1:MaxTRESMinsPerJob=cpu=1:FairShare=1:MaxWallDurationPerJob=1:Description='Test Account':Organization='Test'
      # To add users to a account add a line like this after a Parent - 'line'
      # User - 'lipari':MaxTRESPerJob=node=2:MaxJobs=3:MaxTRESMinsPerJob=cpu=4:FairShare=1:MaxWallDurationPerJob=1
      """;

  static final List<LimitKind> ORDER =
      List.of(
          LimitKind.GRP_TRES_MINS,
          LimitKind.GRP_TRES_RUN_MINS,
          LimitKind.GRP_TRES,
          LimitKind.GRP_JOBS,
          LimitKind.GRP_JOBS_ACCRUE,
          LimitKind.GRP_SUBMIT_JOBS,
          LimitKind.GRP_WALL,
          LimitKind.MAX_TRES_MINS_PER_JOB,
          LimitKind.MAX_TRES_RUN_MINS,
          LimitKind.MAX_TRES_PER_JOB,
          LimitKind.MAX_TRES_PER_NODE,
          LimitKind.MAX_JOBS,
          LimitKind.MAX_JOBS_ACCRUE,
          LimitKind.MAX_SUBMIT_JOBS,
          LimitKind.MAX_WALL,
          LimitKind.MIN_PRIO_THRESHOLD);

  private final SacctmgrSession session;
  private final List<String> lines = new ArrayList<>();

  SacctmgrDump(SacctmgrSession session) {
    this.session = session;
  }

  void run(List<String> words) throws CommandException {
    String cluster = null;
    String file = null;
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (setting.is(1, "File")) {
        file = setting.value();
      } else if (setting.isNameOr(1, "Cluster")) {
        cluster = setting.names().isEmpty() ? null : setting.names().getFirst();
      } else {
        throw CommandException.plain(" Unknown option: " + word);
      }
    }
    if (!session.isAdministrator()) {
      throw CommandException.plain(
          " Your user does not have sufficient privileges to dump clusters.");
    }
    if (cluster == null) {
      throw CommandException.plain(" We need a cluster to dump.");
    }
    if (!session.goTo(cluster)) {
      throw CommandException.plain(" No cluster '" + cluster + "' found");
    }
    AccountingTree tree = session.tree();
    Association root = tree.association(AccountingTree.ROOT, null, null);
    if (root != null) {
      lines.add("Cluster - '" + cluster + "'" + settings(root));
      below(tree, AccountingTree.ROOT);
    }
    write(file == null ? cluster + ".cfg" : file);
  }

  private void write(String file) throws CommandException {
    try (OutputStream out = session.port().write(file)) {
      String text = HEAD + String.join("\n", lines) + "\n";
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw CommandException.error("Can't open " + file + ": " + e.getMessage());
    }
    lines.forEach(line -> session.report(StderrMessage.info(line)));
  }

  private void below(AccountingTree tree, String account) {
    List<Association> children = tree.children(account);
    if (children.isEmpty()) {
      return;
    }
    lines.add("Parent - '" + account + "'");
    for (Association child : children) {
      lines.add(child.user() == null ? account(tree, child) : user(tree, child, child.user()));
    }
    for (Association child : children) {
      if (child.user() == null) {
        below(tree, child.account());
      }
    }
  }

  private static String account(AccountingTree tree, Association association) {
    Account account = tree.account(association.account());
    String about =
        account == null
            ? ""
            : ":Description="
                + quoted(account.description())
                + ":Organization="
                + quoted(account.organization());
    return "Account - '" + association.account() + "'" + about + settings(association);
  }

  private static String user(AccountingTree tree, Association association, String name) {
    StringBuilder out = new StringBuilder("User - '").append(name).append('\'');
    if (association.partition() != null) {
      out.append(":Partition='").append(association.partition()).append('\'');
    }
    AccountUser user = tree.user(name);
    if (user != null) {
      out.append(":DefaultAccount='").append(user.defaultAccount()).append('\'');
      if (user.defaultWckey() != null) {
        out.append(":DefaultWCKey='").append(user.defaultWckey()).append('\'');
      }
      out.append(
          switch (user.adminLevel()) {
            case NONE -> "";
            case OPERATOR, ADMINISTRATOR -> ":AdminLevel='" + user.adminLevel().word() + "'";
          });
    }
    List<String> coordinated = new ArrayList<>();
    for (Account account : tree.accounts()) {
      if (account.coordinators().contains(name)) {
        coordinated.add(account.name());
      }
    }
    if (!coordinated.isEmpty()) {
      out.append(":Coordinator='").append(String.join(",", coordinated)).append('\'');
    }
    if (user != null && !user.wckeys().isEmpty()) {
      List<String> keys = user.wckeys().stream().map(Wckey::name).toList();
      out.append(":WCKeys='").append(String.join(",", keys)).append('\'');
    }
    return out + settings(association);
  }

  private static String settings(Association association) {
    StringBuilder out = new StringBuilder();
    if (association.defaultQos() != null) {
      out.append(":DefaultQOS='").append(association.defaultQos()).append('\'');
    }
    out.append(":Fairshare=");
    out.append(association.shares() == null ? Integer.MAX_VALUE : association.shares());
    AccountingLimits limits = association.limits();
    for (LimitKind limit : ORDER) {
      if (limit.isOfTres()) {
        TresAmounts amounts = limits.tres(limit);
        if (!amounts.amounts().isEmpty()) {
          String text = AmountFormat.text(limits, limit);
          out.append(':').append(limit.word()).append('=');
          out.append(text.indexOf(':') < 0 ? text : quoted(text));
        }
      } else if (limits.of(limit) != null) {
        out.append(':').append(limit.word()).append('=').append(limits.of(limit));
      }
    }
    if (association.priority() != null) {
      out.append(":Priority=").append(association.priority());
    }
    if (!association.qos().isEmpty()) {
      out.append(":QOS='").append(String.join(",", association.qos())).append('\'');
    }
    return out.toString();
  }

  /** The text between quotes; a quote in it stands between quotes of the other kind. */
  private static String quoted(String text) {
    return '\'' + text.replace("'", "'\"'\"'") + '\'';
  }
}
