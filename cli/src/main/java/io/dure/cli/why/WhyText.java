package io.dure.cli.why;

import io.dure.core.explain.Cause;
import io.dure.core.explain.Caution;
import io.dure.core.explain.Expected;
import io.dure.core.explain.Explanation;
import io.dure.core.explain.Finding;
import io.dure.core.explain.JobFact;
import io.dure.core.explain.Place;
import io.dure.core.explain.Remedy;
import io.dure.core.explain.Story;
import io.dure.core.explain.Subject;
import io.dure.core.model.Outcome;
import io.dure.surface.language.Phrases;
import io.dure.surface.language.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is told of a job, on one screen. Used once. */
final class WhyText {
  private static final int MOST_JOBS = 5;
  private static final int MOST_TOGETHER = 8;
  private static final int MOST_FINDINGS = 4;
  private static final int MARGIN = 13;
  private static final int LONGEST_REASON = 24;

  private final Words words;
  private final Explanation told;
  private final CauseText causes;
  private final StringBuilder text = new StringBuilder();

  WhyText(Phrases phrases, ZoneId zone, Explanation told) {
    words = new Words(phrases, zone, told.now());
    this.told = told;
    causes = new CauseText(words, told.subject().word());
  }

  /** The screen. */
  String text() {
    Subject subject = told.subject();
    line(
        words.say(
            "title",
            subject.word(),
            Words.name(subject.spec().name()),
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
    AskedText asked = new AskedText(words, subject);
    entry("asks", asked.amounts());
    entry("", asked.place());
    switch (told.story()) {
      case Story.Waits waits -> new WaitingText(waits).write();
      case Story.Runs runs -> {
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
      case Story.Ends ends ->
          line(words.say("cleaning", words.time(ends.start()), words.ago(ends.end())));
      case Story.Over over -> over(over);
    }
    return text.toString();
  }

  private void over(Story.Over over) {
    String how =
        switch (over.outcome()) {
          case Outcome.Completed _ -> "completed";
          case Outcome.Failed _ -> "failed";
          case Outcome.LaunchFailed _ -> "not-launched";
          case Outcome.Cancelled _ -> "cancelled";
          case Outcome.TimedOut _ -> "timed-out";
          case Outcome.NodeFailed _ -> "node-failed";
          case Outcome.OutOfMemory _ -> "out-of-memory";
          case Outcome.DeadlineMissed _ -> "missed";
          case Outcome.Preempted _ -> "preempted";
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
    line(label + " ".repeat(Math.max(1, MARGIN - Phrases.columns(label))) + what);
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
    private final Story.Waits waits;

    WaitingText(Story.Waits waits) {
      this.waits = waits;
    }

    void write() {
      reason();
      expected();
      place();
      if (waits.depth() == Story.Depth.NOTHING) {
        line("");
        line(words.say("untried"));
        return;
      }
      holders();
      remedies();
      boolean said =
          waits.findings().isEmpty() && waits.holdersCut()
              || waits.remedies().isEmpty() && waits.remediesCut();
      if (waits.depth() == Story.Depth.SOME && !said) {
        line("");
        line(words.say("not-all"));
      }
    }

    private void reason() {
      List<Cause> all = waits.causes();
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
      for (Cause cause : all) {
        for (String sentence : causes.sentences(cause)) {
          entry("", sentence);
        }
      }
    }

    private void expected() {
      Expected expected = waits.expected();
      Expected.Forecast forecast = expected.forecast();
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
      Place place = waits.place();
      String label = "place";
      for (String line : place == null ? List.<String>of() : new PlaceText(words).of(place)) {
        entry(label, line);
        label = "";
      }
    }

    private void holders() {
      List<Finding> all = waits.findings();
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
      for (Finding one : all) {
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

    private static boolean isSingle(Finding one) {
      return one.causes().size() == 1 && only(one) != null;
    }

    /** The only job of a finding, null if it is something else. */
    private static @Nullable JobFact only(Finding one) {
      List<JobFact> jobs = jobs(one.causes().getFirst());
      return jobs.size() == 1 ? jobs.getFirst() : null;
    }

    /** The jobs that a cause is, none if it is something else. */
    private static List<JobFact> jobs(Cause cause) {
      if (cause instanceof Cause.Running(List<JobFact> running)) {
        return running;
      }
      return cause instanceof Cause.Ahead(List<JobFact> ahead) ? ahead : List.of();
    }

    private List<Finding> singles(List<Finding> all, boolean running) {
      List<Finding> singles = new ArrayList<>();
      for (Finding one : all) {
        JobFact job = isSingle(one) ? only(one) : null;
        if (job != null && job.runs() == running && singles.size() < MOST_JOBS) {
          singles.add(one);
        }
      }
      return singles;
    }

    private void table(String title, List<Finding> singles) {
      if (singles.isEmpty()) {
        return;
      }
      line("  " + words.say(title));
      List<JobFact> jobs = new ArrayList<>();
      List<String> starts = new ArrayList<>();
      for (Finding one : singles) {
        JobFact job = only(one);
        if (job != null) {
          jobs.add(job);
          starts.add(when(one.start(), one.now()));
        }
      }
      rows(jobs, starts);
    }

    /** A line for each job; with when the other starts without it, or without. */
    private void rows(List<JobFact> jobs, List<String> starts) {
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
        JobFact job = jobs.get(i);
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

    private void several(Finding one) {
      String start = when(one.start(), one.now());
      Cause first = one.causes().getFirst();
      if (one.causes().size() > 1) {
        line("  " + words.say("together", start));
        for (Cause cause : one.causes()) {
          boolean known = waits.causes().contains(cause);
          line("    - " + (known ? causes.named(cause) : causes.sentences(cause).getFirst()));
        }
        return;
      }
      if (first instanceof Cause.Queue queue) {
        line("  " + words.say("queue-together", start));
        owners(queue.owners());
        return;
      }
      List<JobFact> jobs = jobs(first);
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

    private void owners(List<Cause.Queue.Owner> owners) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(
          List.of(
              words.say("user"), words.say("account-"), words.say("jobs-"), words.say("cpus-")));
      for (Cause.Queue.Owner one : owners) {
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
      for (Remedy one : waits.remedies()) {
        String what = words.say(phrase(one.kind()), one.to(), one.from());
        line("  " + words.say("remedy", when(one.start(), one.now()), what));
        String option = one.option().isEmpty() ? "" : words.say("option", one.option());
        line("    scontrol " + one.update() + option);
        Caution caution = one.caution();
        if (caution != null) {
          line("    " + words.say("caution", caution(caution)));
        }
      }
    }

    private String caution(Caution caution) {
      return switch (caution) {
        case Caution.RanLonger(int longer, int runs) -> words.say("ran-longer", longer, runs);
        case Caution.RunsLonger(Duration expected) ->
            words.say("runs-longer", words.length(expected));
        case Caution.RunUnknown _ -> words.say("run-unknown");
        case Caution.MemoryUnknown _ -> words.say("memory-unknown");
        case Caution.Unordered _ -> words.say("unordered");
        case Caution.Slower _ -> words.say("slower");
      };
    }

    private static String phrase(Remedy.Kind kind) {
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
