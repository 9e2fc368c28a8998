package io.dure.cli.why;

import io.dure.model.job.JobOutcome;
import io.dure.model.report.ExpectedStart;
import io.dure.model.report.ExplainedJob;
import io.dure.model.report.JobExplanation;
import io.dure.model.report.JobSituation;
import io.dure.model.report.QueuePosition;
import io.dure.model.report.RelatedJob;
import io.dure.model.report.RemedyCaution;
import io.dure.model.report.StartBlocker;
import io.dure.model.report.StartRemedy;
import io.dure.model.report.WaitCause;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.language.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An explanation of a job as a screen of text. Used once. */
final class WhyText {
  private static final int MOST_JOBS = 5;
  private static final int MOST_TOGETHER = 8;
  private static final int MOST_FINDINGS = 4;
  private static final int MARGIN = 13;
  private static final int LONGEST_REASON = 24;

  private final QuantityText words;
  private final JobExplanation told;
  private final WaitCauseText causes;
  private final StringBuilder text = new StringBuilder();

  WhyText(LocalizedPhrases phrases, ZoneId zone, JobExplanation told) {
    words = new QuantityText(phrases, zone, told.now());
    this.told = told;
    causes = new WaitCauseText(words, told.subject().word());
  }

  /** The screen. */
  String text() {
    ExplainedJob subject = told.subject();
    line(
        words.say(
            "title",
            subject.word(),
            QuantityText.name(subject.spec().name()),
            subject.user().isEmpty() ? words.say("another") : subject.user(),
            told.cluster(),
            words.time(told.now())));
    if (subject.tasks() > 1) {
      line(words.say("array", subject.tasks()));
    }
    if (subject.components() > 1) {
      line(words.say("het", subject.components()));
    }
    line("");
    JobRequestText asked = new JobRequestText(words, subject);
    entry("asks", asked.amounts());
    entry("", asked.place());
    switch (told.story()) {
      case JobSituation.Waits waits -> new WaitingText(waits).write();
      case JobSituation.Runs runs -> {
        entry("runs", words.say("runs-on", words.ago(runs.start()), runs.nodes(), runs.cpus()));
        entry(
            "ends",
            runs.until() == null
                ? words.say("without-end")
                : words.say("latest", words.ahead(runs.until())));
        if (runs.suspended()) {
          line(words.say("suspended"));
        }
      }
      case JobSituation.Ends ends ->
          line(words.say("cleaning", words.time(ends.start()), words.ago(ends.end())));
      case JobSituation.Over over -> over(over);
    }
    return text.toString();
  }

  private void over(JobSituation.Over over) {
    String how =
        switch (over.outcome()) {
          case JobOutcome.Completed _ -> "completed";
          case JobOutcome.Failed _ -> "failed";
          case JobOutcome.LaunchFailed _ -> "not-launched";
          case JobOutcome.Cancelled _ -> "cancelled";
          case JobOutcome.TimedOut _ -> "timed-out";
          case JobOutcome.NodeFailed _ -> "node-failed";
          case JobOutcome.OutOfMemory _ -> "out-of-memory";
          case JobOutcome.DeadlineMissed _ -> "missed";
          case JobOutcome.Preempted _ -> "preempted";
        };
    entry("over", words.say(how, words.ago(over.end())));
    if (over.start() != null) {
      entry("ran", words.say("ran-from", words.time(over.start()), words.time(over.end())));
    } else {
      entry("ran", words.say("never-ran"));
    }
  }

  /** A word in the margin, and what belongs to it. */
  private void entry(String name, String what) {
    String label = name.isEmpty() ? "" : words.say(name);
    line(label + " ".repeat(Math.max(1, MARGIN - LocalizedPhrases.columns(label))) + what);
  }

  private void line(String line) {
    text.append(line.stripTrailing()).append('\n');
  }

  /** When something would be. */
  private String when(Instant start, boolean now) {
    return now ? words.say("now") : words.ahead(start);
  }

  /** What is said of a job that waits. */
  private final class WaitingText {
    private final JobSituation.Waits waits;

    WaitingText(JobSituation.Waits waits) {
      this.waits = waits;
    }

    void write() {
      reason();
      expected();
      place();
      if (waits.depth() == JobSituation.Depth.NOTHING) {
        line("");
        line(words.say("untried"));
        return;
      }
      holders();
      remedies();
      boolean said =
          waits.findings().isEmpty() && waits.holdersCut()
              || waits.remedies().isEmpty() && waits.remediesCut();
      if (waits.depth() == JobSituation.Depth.SOME && !said) {
        line("");
        line(words.say("not-all"));
      }
    }

    private void reason() {
      List<WaitCause> all = waits.causes();
      String why =
          all.isEmpty()
              ? words.say(waits.reason().equals("Priority") ? "for-others" : "for-scheduler")
              : causes.shortly(all.getFirst(), waits.reason());
      Instant since = waits.eligible() == null ? told.subject().submitted() : waits.eligible();
      boolean isShort = waits.reason().length() <= LONGEST_REASON;
      boolean none = waits.reason().equals("None");
      String code = none || !isShort ? "" : " (" + waits.reason() + ")";
      entry("waits", words.say("waits-since", why + code, words.ago(since)));
      if (!isShort) {
        entry("", words.say("slurm", waits.reason()));
      }
      for (WaitCause cause : all) {
        for (String sentence : causes.sentences(cause)) {
          entry("", sentence);
        }
      }
    }

    private void expected() {
      ExpectedStart expected = waits.expected();
      ExpectedStart.Forecast forecast = expected.forecast();
      String label = "starts";
      if (forecast != null) {
        entry(
            label,
            words.say(
                "forecast",
                words.time(forecast.early()),
                words.ahead(forecast.middle()),
                words.time(forecast.late())));
        label = "";
      }
      if (expected.latest() != null) {
        boolean now = Duration.between(told.now(), expected.latest()).toSeconds() <= 1;
        entry(
            label,
            now
                ? words.say(expected.nodes().isEmpty() ? "now" : "starts-now", expected.nodes())
                : words.say(
                    expected.nodes().isEmpty() ? "starts-latest-somewhere" : "starts-latest",
                    words.ahead(expected.latest()),
                    expected.nodes()));
      } else if (expected.endless()) {
        entry(label, words.say("starts-endless"));
      } else if (expected.never()) {
        entry(label, words.say("starts-never"));
      } else if (expected.beyond() != null) {
        entry(label, words.say("starts-beyond", words.time(expected.beyond())));
      }
    }

    private void place() {
      QueuePosition place = waits.place();
      String label = "place";
      for (String line :
          place == null ? List.<String>of() : new QueuePositionText(words).of(place)) {
        entry(label, line);
        label = "";
      }
    }

    private void holders() {
      List<StartBlocker> all = waits.findings();
      if (all.isEmpty()) {
        if (waits.holdersCut()) {
          line("");
          line(words.say("holders-cut"));
        }
        return;
      }
      line("");
      line(words.say("holders"));
      table("running-alone", singles(all, true));
      table("ahead-alone", singles(all, false));
      int shown = 0;
      for (StartBlocker one : all) {
        if (isSingle(one)) {
          continue;
        }
        if (++shown > MOST_FINDINGS) {
          return;
        }
        several(one);
        if (one.rough()) {
          line("    " + words.say("perhaps-fewer"));
        }
      }
    }

    private static boolean isSingle(StartBlocker one) {
      return one.causes().size() == 1 && only(one) != null;
    }

    /** The only job of a finding, null if it is something else. */
    private static @Nullable RelatedJob only(StartBlocker one) {
      List<RelatedJob> jobs = jobs(one.causes().getFirst());
      return jobs.size() == 1 ? jobs.getFirst() : null;
    }

    /** The jobs that a cause is, none if it is something else. */
    private static List<RelatedJob> jobs(WaitCause cause) {
      if (cause instanceof WaitCause.Running(List<RelatedJob> running)) {
        return running;
      }
      return cause instanceof WaitCause.Ahead(List<RelatedJob> ahead) ? ahead : List.of();
    }

    private List<StartBlocker> singles(List<StartBlocker> all, boolean running) {
      List<StartBlocker> singles = new ArrayList<>();
      for (StartBlocker one : all) {
        RelatedJob job = isSingle(one) ? only(one) : null;
        if (job != null && job.runs() == running && singles.size() < MOST_JOBS) {
          singles.add(one);
        }
      }
      return singles;
    }

    private void table(String title, List<StartBlocker> singles) {
      if (singles.isEmpty()) {
        return;
      }
      line("  " + words.say(title));
      List<RelatedJob> jobs = new ArrayList<>();
      List<String> starts = new ArrayList<>();
      for (StartBlocker one : singles) {
        RelatedJob job = only(one);
        if (job != null) {
          jobs.add(job);
          starts.add(when(one.start(), one.now()));
        }
      }
      rows(jobs, starts);
    }

    /** A line for each job; with when the other starts without it, or without. */
    private void rows(List<RelatedJob> jobs, List<String> starts) {
      boolean runs = jobs.getFirst().runs();
      boolean gpus = jobs.stream().anyMatch(job -> job.gpus() > 0);
      List<List<String>> rows = new ArrayList<>();
      List<String> head =
          new ArrayList<>(
              List.of(
                  words.say("job"), words.say("user"), words.say("nodes-"), words.say("cpus-")));
      if (gpus) {
        head.add(words.say("gpus-"));
      }
      head.add(words.say(runs ? "until" : "limit"));
      if (!starts.isEmpty()) {
        head.add(words.say("without-it"));
      }
      rows.add(head);
      int shown = Math.min(jobs.size(), MOST_TOGETHER);
      for (int i = 0; i < shown; i++) {
        RelatedJob job = jobs.get(i);
        List<String> row =
            new ArrayList<>(
                List.of(
                    job.word().isEmpty() ? words.say("somebodys") : job.word(),
                    job.user().isEmpty() ? "-" : job.user(),
                    Integer.toString(job.nodes()),
                    job.whole() ? words.say("all-cpus") : Integer.toString(job.cpus())));
        if (gpus) {
          row.add(Long.toString(job.gpus()));
        }
        row.add(runs ? words.until(job.until()) : words.limit(job.limit()));
        if (!starts.isEmpty()) {
          row.add(starts.get(i));
        }
        rows.add(row);
      }
      for (String row : TextTable.lines(rows)) {
        line("    " + row);
      }
      if (shown < jobs.size()) {
        line("    " + words.say("more-jobs", jobs.size() - shown));
      }
    }

    private void several(StartBlocker one) {
      String start = when(one.start(), one.now());
      WaitCause first = one.causes().getFirst();
      if (one.causes().size() > 1) {
        line("  " + words.say("together", start));
        for (WaitCause cause : one.causes()) {
          boolean known = waits.causes().contains(cause);
          line("    - " + (known ? causes.named(cause) : causes.sentences(cause).getFirst()));
        }
        return;
      }
      if (first instanceof WaitCause.Queue queue) {
        line("  " + words.say("queue-together", start));
        owners(queue.owners());
        return;
      }
      List<RelatedJob> jobs = jobs(first);
      if (!jobs.isEmpty()) {
        boolean runs = jobs.getFirst().runs();
        line("  " + words.say(runs ? "running-together" : "ahead-together", start));
        rows(jobs, List.of());
        return;
      }
      boolean told = waits.causes().contains(first);
      for (String sentence : told ? List.<String>of() : causes.sentences(first)) {
        line("  " + sentence);
      }
      line("  " + words.say("without", causes.named(first), start));
    }

    private void owners(List<WaitCause.Queue.Owner> owners) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(
          List.of(
              words.say("user"), words.say("account-"), words.say("jobs-"), words.say("cpus-")));
      for (WaitCause.Queue.Owner one : owners) {
        if (rows.size() <= MOST_TOGETHER) {
          rows.add(
              List.of(
                  one.user().isEmpty() ? words.say("somebodys") : one.user(),
                  one.account() == null ? "-" : one.account(),
                  Long.toString(one.jobs()),
                  Long.toString(one.cpus())));
        }
      }
      for (String row : TextTable.lines(rows)) {
        line("    " + row);
      }
      if (rows.size() <= owners.size()) {
        line("    " + words.say("more-users", owners.size() + 1 - rows.size()));
      }
    }

    private void remedies() {
      boolean soon =
          waits.expected().latest() != null
              && Duration.between(told.now(), waits.expected().latest()).toSeconds() <= 1;
      if (waits.remedies().isEmpty()) {
        if (!soon) {
          line("");
          line(words.say(waits.remediesCut() ? "remedies-cut" : "no-remedies"));
        }
        return;
      }
      line("");
      line(words.say("remedies"));
      for (StartRemedy one : waits.remedies()) {
        String what = words.say(phrase(one.kind()), one.to(), one.from());
        line("  " + words.say("remedy", when(one.start(), one.now()), what));
        String option = one.option().isEmpty() ? "" : words.say("option", one.option());
        line("    scontrol " + one.update() + option);
        RemedyCaution caution = one.caution();
        if (caution != null) {
          line("    " + words.say("caution", caution(caution)));
        }
      }
    }

    private String caution(RemedyCaution caution) {
      return switch (caution) {
        case RemedyCaution.RanLonger(int longer, int runs) -> words.say("ran-longer", longer, runs);
        case RemedyCaution.RunsLonger(Duration expected) ->
            words.say("runs-longer", words.length(expected));
        case RemedyCaution.RunUnknown _ -> words.say("run-unknown");
        case RemedyCaution.MemoryUnknown _ -> words.say("memory-unknown");
        case RemedyCaution.Unordered _ -> words.say("unordered");
        case RemedyCaution.Slower _ -> words.say("slower");
      };
    }

    private static String phrase(StartRemedy.Kind kind) {
      return switch (kind) {
        case RELEASE -> "do-release";
        case BEGIN_NOW -> "do-begin";
        case NO_DEPENDENCY -> "do-depend";
        case MORE_TASKS_AT_ONCE -> "do-tasks-at-once";
        case OTHER_PARTITION -> "do-partition";
        case OTHER_QOS -> "do-qos";
        case NO_NODE_LIST -> "do-any-nodes";
        case NO_EXCLUDED_NODES -> "do-no-excluded";
        case NOT_CONTIGUOUS -> "do-anywhere";
        case NOT_EXCLUSIVE -> "do-share";
        case SHORTER -> "do-shorter";
        case LESS_MEMORY -> "do-memory";
        case OTHER_GPU_TYPE -> "do-gpu-type";
        case ANY_GPU_TYPE -> "do-any-gpu";
        case FEWER_CPUS_PER_TASK -> "do-cpus";
        case FEWER_TASKS -> "do-tasks";
        case FEWER_NODES -> "do-nodes";
        case FEWER_GPUS -> "do-gpus";
        case NO_FEATURES -> "do-features";
        case NO_LICENCES -> "do-licences";
        case NO_RESERVATION -> "do-reservation";
      };
    }
  }
}
