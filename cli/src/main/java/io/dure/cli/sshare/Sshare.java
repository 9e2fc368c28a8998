package io.dure.cli.sshare;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.model.accounting.Association;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.SharesJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.KeywordParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lists the shares of accounts and users, and their usage. */
public final class Sshare implements CliCommand {
  private static final String USUAL =
      "account,user,rawshares,normshares,rawusage,effectvusage,fairshare";

  private static final String LONG =
      "account,user,rawshares,normshares,rawusage,normusage,effectvusage,fairshare,levelfs,"
          + "grptresmins,tresrunmins";

  /** What is asked for. */
  private static final class Call {
    private final List<String> accounts = new ArrayList<>();
    private final List<String> users = new ArrayList<>();
    private @Nullable String clusters;
    private @Nullable String format;
    private boolean all;
    private boolean own;
    private boolean whole;
    private boolean partitions;
    private boolean header = true;
    private @Nullable DocumentFormat document;
    private AccountingTable.Style style = AccountingTable.Style.COLUMNS;
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    Call call = new Call();
    read(context, call);
    context.out().print(listing(context, call));
    return 0;
  }

  private static void read(CommandContext context, Call call) throws CommandException {
    CallOptions<SshareOption> parser = context.options(Sshare.class, SshareOption.values());
    for (ParsedOption<SshareOption> option = parser.next();
        option != null;
        option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case HELP, USAGE, VERSION -> {}
        case HELP_FORMAT -> {
          context.out().print(fieldNames());
          throw CommandException.done();
        }
        case JSON -> call.document = DocumentFormat.json(value);
        case YAML -> call.document = DocumentFormat.yaml(value);
        case ACCOUNTS -> call.accounts.addAll(KeywordParser.list(value));
        case USERS -> call.users.addAll(KeywordParser.list(value));
        case CLUSTERS -> call.clusters = value;
        case FORMAT -> call.format = value;
        case ALL -> call.all = true;
        case OWN -> call.own = true;
        case LONG -> call.whole = true;
        case PARTITION -> call.partitions = true;
        case NO_HEADER, NO_HEADER_TOO -> call.header = false;
        case PARSABLE -> call.style = AccountingTable.Style.BARS_AND_END;
        case PARSABLE2 -> call.style = AccountingTable.Style.BARS;
        case VERBOSE -> {}
      }
    }
  }

  private static String fieldNames() {
    List<String> names = new ArrayList<>();
    ShareFields.ALL.forEach(field -> names.add(field.header()));
    names.sort(String.CASE_INSENSITIVE_ORDER);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      boolean ends = i % 4 == 3 || i == names.size() - 1;
      out.append(name).repeat(' ', Math.max(1, 17 - name.length()));
      out.append(ends ? "\n" : " ");
    }
    return out.toString();
  }

  private static String listing(CommandContext context, Call call) throws CommandException {
    String usual = call.whole ? LONG : USUAL;
    String asked = call.partitions ? usual.replace("user,", "user,partition,") : usual;
    List<String> unknown = new ArrayList<>();
    List<AccountingField<ShareFields.Row>> fields =
        AccountingField.parse(
            ShareFields.ALL, Objects.requireNonNullElse(call.format, asked), unknown);
    if (fields == null) {
      throw CommandException.error("Invalid field requested: \"" + unknown.getFirst() + "\"");
    }
    Response.Shares shares = shares(context, call);
    if (call.document != null) {
      List<Response.Share> places = rows(shares, call).stream().map(row -> row.share()).toList();
      SharesJson.print(context.document(call.document), shares.clusterName(), places);
      return "";
    }
    return new AccountingTable(call.style, call.header).text(fields, rows(shares, call));
  }

  private static Response.Shares shares(CommandContext context, Call call) throws CommandException {
    return Question.ask(
        context,
        text -> CommandException.error("Couldn't get shares from controller: " + text),
        call.clusters,
        new Request.ShowShares(),
        Response.Shares.class);
  }

  private static List<ShareFields.Row> rows(Response.Shares shares, Call call) {
    List<ShareFields.Row> rows = new ArrayList<>();
    List<String> users = call.users.isEmpty() ? List.of(shares.userName()) : call.users;
    int top = -1;
    for (Response.Share share : shares.rows()) {
      Association of = share.association();
      boolean user = of.user() != null;
      boolean meant =
          (call.accounts.isEmpty() || call.accounts.contains(of.account()))
              && (!user || (call.all && call.users.isEmpty()) || users.contains(of.user()))
              && (user || !call.own);
      if (meant) {
        top = top < 0 ? share.depth() : Math.min(top, share.depth());
        rows.add(new ShareFields.Row(share, share.depth(), shares.clusterName()));
      }
    }
    int first = call.own ? -1 : Math.max(top, 0);
    List<ShareFields.Row> moved = new ArrayList<>();
    for (ShareFields.Row row : rows) {
      int indent = first < 0 ? 0 : row.indent() - first;
      moved.add(new ShareFields.Row(row.share(), indent, row.cluster()));
    }
    return moved;
  }
}
