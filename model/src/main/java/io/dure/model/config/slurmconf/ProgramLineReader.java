package io.dure.model.config.slurmconf;

import io.dure.model.config.ControllerPrograms;
import io.dure.model.config.ControllerPrograms.Completion;
import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;

/** Turns the keys of what the controller runs and writes into settings. */
final class ProgramLineReader {
  private ProgramLineReader() {}

  static ControllerPrograms read(SectionValues values, SourceLocation start) {
    Completion completion = completion(values, start);
    return new ControllerPrograms(
        values.text("MailProg"),
        values.text("MailDomain"),
        completion,
        completion == Completion.NONE ? "" : values.text("JobCompLoc"),
        values.text("SlurmctldPrimaryOnProg"),
        values.text("SlurmctldPrimaryOffProg"),
        values.text("ResvProlog"),
        values.text("ResvEpilog"),
        completion == Completion.NONE ? "" : values.text("JobCompParams"));
  }

  private static Completion completion(SectionValues values, SourceLocation start) {
    String plugin = values.lower("JobCompType");
    DiagnosticCollector diagnostics = values.diagnostics();
    SourceLocation place = values.place("JobCompType", start);
    return switch (plugin.substring(plugin.indexOf('/') + 1)) {
      case "", "none" -> Completion.NONE;
      case "filetxt" -> Completion.FILE;
      case "script" -> Completion.SCRIPT;
      case "jsonlines" -> Completion.JSON_LINES;
      case "elasticsearch" -> Completion.DOCUMENT;
      case "kafka" -> Completion.TOPIC;
      case "lua", "mysql" -> {
        diagnostics.noEffect(place, "JobCompType", plugin + ": read, and not acted on");
        yield Completion.NONE;
      }
      default -> {
        String remedy = "Write jobcomp/none, filetxt, jsonlines, script, elasticsearch or kafka";
        diagnostics.error(place, "JobCompType", "there is no " + plugin, remedy);
        yield Completion.NONE;
      }
    };
  }
}
