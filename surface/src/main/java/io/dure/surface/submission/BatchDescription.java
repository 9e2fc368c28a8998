package io.dure.surface.submission;

import io.dure.model.ErrorCode;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.PropagatedRlimit;
import io.dure.model.request.Workload;
import io.dure.surface.body.DocumentValue;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.BatchScriptReader;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.sbatch.SubmitVariables;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a described job runs, and in which surroundings. */
final class BatchDescription {
  private static final int USUAL_UMASK = 0022;
  private static final int MOST_ENVIRONMENT = 8 << 20;
  private static final String UMASK = "SLURM_UMASK";
  private static final String ENVIRONMENT = "environment";
  private static final String SCRIPT = "script";
  private static final String DIRECTORY = "current_working_directory";

  private final DocumentValue.Members job;
  private final String place;
  private final SbatchSettings settings;
  private final SubmittingClient client;

  BatchDescription(
      DocumentValue.Members job, String place, SbatchSettings settings, SubmittingClient client) {
    this.job = job;
    this.place = place;
    this.settings = settings;
    this.client = client;
  }

  /** The name of a job for which none is given: that of its script. */
  String name() {
    List<String> words = job.texts("argv");
    String first = words.isEmpty() ? "" : words.getFirst();
    String name = first.substring(first.lastIndexOf('/') + 1);
    return name.isEmpty() ? "sbatch" : name;
  }

  Workload.BatchSpec batch() throws SubmissionException {
    List<String> words = job.texts("argv");
    return new Workload.BatchSpec(
        TextId.EMPTY,
        words.isEmpty() ? words : List.copyOf(words.subList(1, words.size())),
        TextId.EMPTY,
        false,
        directory(),
        settings.value(SbatchOption.INPUT),
        settings.value(SbatchOption.OUTPUT),
        settings.value(SbatchOption.ERROR),
        SbatchOptionCheck.openMode(settings.valueOr(SbatchOption.OPEN_MODE, "")),
        umask(),
        limits(),
        words.isEmpty() || words.getFirst().isEmpty() ? null : words.getFirst(),
        "",
        host(),
        0,
        false);
  }

  /**
   * Script and variables.
   *
   * @param other the script of a job that has none itself
   */
  JobTexts texts(@Nullable String other) throws SubmissionException {
    String own = job.text(SCRIPT);
    String script = own == null ? other : own;
    if (script == null) {
      throw wrong("There is no script", ErrorCode.JOB_SCRIPT_MISSING, SCRIPT);
    }
    byte[] bytes = script.getBytes(StandardCharsets.UTF_8);
    try {
      String content = BatchScriptReader.checked(new String(bytes, StandardCharsets.ISO_8859_1));
      return JobTexts.of(content, assignments());
    } catch (CommandException e) {
      throw new SubmissionException(e, place + "/" + SCRIPT);
    }
  }

  private List<String> assignments() throws SubmissionException {
    List<String> given = job.texts(ENVIRONMENT);
    if (given.isEmpty()) {
      throw wrong("environment must be set", ErrorCode.ENVIRONMENT_MISSING, ENVIRONMENT);
    }
    Map<String, String> variables = new LinkedHashMap<>();
    long length = 0;
    for (String one : given) {
      int equals = one.indexOf('=');
      if (equals <= 0 || one.indexOf('\0') >= 0) {
        throw wrong("A variable is not NAME=VALUE", ErrorCode.DATA_CONV_FAILED, ENVIRONMENT);
      }
      length += one.length() + 1;
      variables.put(one.substring(0, equals), one.substring(equals + 1));
    }
    if (length > MOST_ENVIRONMENT) {
      throw wrong("The environment is too long", ErrorCode.PATHNAME_TOO_LONG, ENVIRONMENT);
    }
    return new SubmitVariables(
            settings.valueOr(SbatchOption.JOB_NAME, name()), 0, directory(), host(), umask())
        .added(variables, settings);
  }

  private String directory() throws SubmissionException {
    String directory = settings.value(SbatchOption.CHDIR);
    if (directory == null || !directory.startsWith("/")) {
      throw wrong(
          DIRECTORY + " must be set to an absolute path", ErrorCode.DATA_CONV_FAILED, DIRECTORY);
    }
    return directory;
  }

  private String host() {
    String host = job.text("allocation_node_list");
    return host == null ? client.host() : host;
  }

  /** The mask that the variables carry, as commands put it there. */
  private int umask() {
    for (String one : job.texts(ENVIRONMENT)) {
      if (one.startsWith(UMASK + "=")) {
        try {
          return Integer.parseInt(one.substring(UMASK.length() + 1), 8) & 0777;
        } catch (NumberFormatException e) {
          return USUAL_UMASK;
        }
      }
    }
    return USUAL_UMASK;
  }

  private List<PropagatedRlimit> limits() {
    DocumentValue.Members asked = job.members("rlimits");
    List<PropagatedRlimit> limits = new ArrayList<>();
    if (asked != null) {
      for (var limit : asked.all().entrySet()) {
        long soft = limit.getValue() instanceof DocumentValue.Whole(long number) ? number : -1;
        limits.add(new PropagatedRlimit(limit.getKey().toUpperCase(Locale.ROOT), soft));
      }
    }
    return List.copyOf(limits);
  }

  private SubmissionException wrong(String text, ErrorCode code, String member) {
    return new SubmissionException(text, code, place + "/" + member);
  }
}
