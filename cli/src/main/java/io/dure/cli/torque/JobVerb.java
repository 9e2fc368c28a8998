package io.dure.cli.torque;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.scontrol.Scontrol;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.pbs.PbsDependency;
import java.util.List;
import java.util.Objects;

/** A command that does one thing to jobs: holds them, releases them, puts them back. */
public enum JobVerb implements CliCommand {
  /** {@code qhold}: a user's hold, or an operator's. */
  QHOLD("qhold-", "uhold", "hold"),
  /** {@code qrls}. */
  QRLS("qrls-", "release", "release"),
  /** {@code qrerun}. */
  QRERUN("qrerun-", "requeue", "requeue");

  private final String texts;
  private final String verb;
  private final String ofOperators;

  JobVerb(String texts, String verb, String ofOperators) {
    this.texts = texts;
    this.verb = verb;
    this.ofOperators = ofOperators;
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<HoldOption> parser = context.options(JobVerb.class, texts, HoldOption.values());
    String kind = "";
    for (ParsedOption<HoldOption> option : parser.all()) {
      switch (option.key()) {
        case KIND -> kind = Objects.requireNonNullElse(option.value(), "");
        case FORCE, HELP, VERSION -> {}
      }
    }
    if (parser.operands().isEmpty()) {
      context.err().print(parser.usage());
      return 2;
    }
    if (kind.equals("n")) {
      return 0;
    }
    String does = kind.contains("o") || kind.contains("s") ? ofOperators : verb;
    PbsCall call = new PbsCall(context);
    int code = 0;
    for (String job : parser.operands()) {
      List<String> words = List.of(does, PbsDependency.job(job));
      int failed = call.about(job, new Scontrol(), "scontrol", words);
      code = failed == 0 ? code : failed;
    }
    return code;
  }
}
