package io.dure.cli.fragmentation;

import io.dure.model.report.GpuFragmentationReport;
import io.dure.model.report.GpuTaskShape;
import io.dure.protocol.Response;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.language.ScreenText;
import io.dure.surface.language.TextTable;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** The report on GPU fragmentation as a screen of text. */
final class FragmentationText extends ScreenText {
  private static final int MOST_SHAPES = 6;

  FragmentationText(LocalizedPhrases phrases, ZoneId zone) {
    super(phrases, zone);
  }

  /**
   * The screen. Used once.
   *
   * @param all whether all kinds of requests are shown
   */
  String of(Response.Fragments answer, boolean all) {
    GpuFragmentationReport report = answer.report();
    if (report.types().isEmpty()) {
      return phrases.text("no-gpus") + "\n";
    }
    line(phrases.text("title", answer.clusterName(), time(answer.now())));
    line("");
    types(report);
    line("");
    if (report.shapes().isEmpty()) {
      line(phrases.text("no-job"));
      return text.toString();
    }
    line(phrases.text("useless-means"));
    line("");
    int most = all ? report.shapes().size() : Math.min(MOST_SHAPES, report.shapes().size());
    shapes(report.shapes().subList(0, most));
    if (most < report.shapes().size()) {
      line(phrases.text("more", report.shapes().size() - most));
    }
    return text.toString();
  }

  private void types(GpuFragmentationReport report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(phrases("type", "all", "used", "free", "useless", "closed"));
    for (GpuFragmentationReport.Type type : report.types()) {
      long used = type.gpus() * GpuTaskShape.WHOLE - type.closedMilli() - type.freeMilli();
      rows.add(
          List.of(
              type.name().isEmpty() ? phrases.text("untyped") : type.name(),
              Long.toString(type.gpus()),
              TextTable.gpus(used),
              TextTable.gpus(type.freeMilli()),
              TextTable.gpus(report.shapes().isEmpty() ? 0 : type.uselessMilli()),
              TextTable.gpus(type.closedMilli())));
    }
    table(rows);
  }

  private void shapes(List<GpuFragmentationReport.ShapeUsability> shapes) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(phrases("asked", "waiting", "running", "room"));
    for (GpuFragmentationReport.ShapeUsability shape : shapes) {
      rows.add(
          List.of(
              asked(shape),
              Long.toString(shape.waiting()),
              Long.toString(shape.running()),
              Long.toString(shape.fits())));
    }
    List<String> lines = TextTable.lines(rows);
    line(lines.getFirst());
    for (int i = 0; i < shapes.size(); i++) {
      line(lines.get(i + 1));
      why(shapes.get(i));
    }
  }

  private String asked(GpuFragmentationReport.ShapeUsability usability) {
    GpuTaskShape shape = usability.shape();
    String number = TextTable.gpus(shape.gpuMilli());
    String asked = phrases.text(shape.gpuMilli() <= GpuTaskShape.WHOLE ? "gpu" : "gpus", number);
    if (!usability.types().isEmpty()) {
      asked = phrases.text("gpus-of", asked, String.join(", ", usability.types()));
    }
    long cpus = shape.cpuMilli() / 1000;
    asked = phrases.text("with", asked, phrases.text(cpus == 1 ? "cpu" : "cpus", cpus));
    return shape.memoryMib() == 0
        ? asked
        : phrases.text("with", asked, phrases.text("memory", memory(shape.memoryMib())));
  }

  private void why(GpuFragmentationReport.ShapeUsability usability) {
    GpuFragmentationReport.UnusableReasons why = usability.why();
    long lost = why.cpus() + why.memory() + why.split() + why.parts() + why.types();
    long free = lost + why.usable();
    if (free == 0) {
      line("  " + phrases.text("nothing-free"));
    } else if (lost == 0) {
      line("  " + phrases.text("serves", TextTable.gpus(free)));
    } else {
      line("  " + phrases.text("lost", TextTable.gpus(lost), TextTable.gpus(free)));
      cause("why-cpus", why.cpus(), "");
      cause("why-memory", why.memory(), "");
      cause("why-split", why.split(), Integer.toString(usability.shape().gpus()));
      cause("why-parts", why.parts(), "");
      cause("why-types", why.types(), "");
    }
  }

  private void cause(String name, long milli, String more) {
    if (milli > 0) {
      line("    " + phrases.text(name, TextTable.gpus(milli), more));
    }
  }

  private static String memory(long mib) {
    return mib % 1024 == 0 ? mib / 1024 + " GiB" : mib + " MiB";
  }
}
