package io.dure.twin.report;

import java.util.List;

/** Plots as SVG text, to stand in a page. */
public final class SvgPlot {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 280;
  private static final int LEFT = 64;
  private static final int RIGHT = 16;
  private static final int TOP = 32;
  private static final int BOTTOM = 44;
  private static final int TICKS = 5;
  private static final int COLOURS = 8;

  private SvgPlot() {}

  /** How wide a letter is taken for where a page is narrow, and the longest label. */
  private static final int LETTER = 11;

  private static final int LONGEST = 16;
  private static final int SLANTED_BOTTOM = 96;
  private static final int HOURS_A_DAY = 24;

  /**
   * What a plot says of itself.
   *
   * @param title what it shows, for those who do not see it
   * @param unit of its upright axis
   * @param below what its other axis shows, or since when time passes there
   */
  public record PlotLabels(String title, String unit, String below) {}

  /**
   * Lines over time.
   *
   * @param days how long the longest curve is; each curve is drawn over its own length
   * @param lengths days of each curve
   */
  public static String lines(
      PlotLabels words, List<PlotCurve> curves, double days, List<Double> lengths) {
    double top = top(curves);
    StringBuilder svg = begin(words, HEIGHT);
    vertical(svg, top);
    boolean hours = days < 2;
    double length = hours ? days * HOURS_A_DAY : days;
    double step = step(length);
    for (int i = 0; i * step <= length * (1 + 1e-9); i++) {
      double x = LEFT + inner() * i * step / length;
      upright(svg, x);
      text(svg, x, HEIGHT - BOTTOM + 18, "middle", number(i * step));
    }
    String from = words.below().isEmpty() ? "the first submission" : words.below();
    String since = (hours ? "hours" : "days") + " since " + from;
    text(svg, LEFT + inner() / 2.0, HEIGHT - 6, "middle", since);
    for (int c = 0; c < curves.size(); c++) {
      List<Double> values = curves.get(c).values();
      StringBuilder path = new StringBuilder();
      boolean pen = false;
      for (int i = 0; i < values.size(); i++) {
        if (Double.isNaN(values.get(i))) {
          pen = false;
          continue;
        }
        double day = lengths.get(c) * (i + 0.5) / values.size();
        path.append(pen ? 'L' : 'M').append(place(LEFT + inner() * day / days)).append(' ');
        path.append(place(y(values.get(i), top)));
        pen = true;
      }
      svg.append("<path class=\"line c").append(c % COLOURS).append("\" d=\"");
      svg.append(path).append("\"><title>").append(escaped(curves.get(c).name()));
      svg.append("</title></path>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  /** The least of 1, 2 and 5 times a power of ten of which there are no more than ten. */
  private static double step(double length) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(length, 1e-3) / 10)));
    for (double factor : new double[] {1, 2, 5}) {
      if (length <= 10 * factor * power * (1 + 1e-9)) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static void upright(StringBuilder svg, double x) {
    svg.append("<line class=\"grid\" x1=\"").append(place(x)).append("\" x2=\"");
    svg.append(place(x)).append("\" y1=\"").append(HEIGHT - BOTTOM).append("\" y2=\"");
    svg.append(HEIGHT - BOTTOM + 5).append("\"/>\n");
  }

  /** Groups of bars: of each curve one value for each category. */
  public static String bars(PlotLabels words, List<String> categories, List<PlotCurve> curves) {
    double top = top(curves);
    double group = (double) inner() / Math.max(1, categories.size());
    int longest = categories.stream().mapToInt(String::length).max().orElse(0);
    boolean slanted = longest * LETTER > group;
    int below = slanted ? SLANTED_BOTTOM : BOTTOM;
    StringBuilder svg = begin(words, HEIGHT - BOTTOM + below);
    vertical(svg, top);
    double bar = group * 0.8 / Math.max(1, curves.size());
    for (int i = 0; i < categories.size(); i++) {
      double x = LEFT + group * i;
      label(svg, x + group / 2, categories.get(i), slanted);
      for (int c = 0; c < curves.size(); c++) {
        double value = curves.get(c).values().get(i);
        if (Double.isNaN(value)) {
          continue;
        }
        double y = y(value, top);
        svg.append("<rect class=\"c").append(c % COLOURS);
        svg.append("\" x=\"").append(place(x + group * 0.1 + bar * c));
        svg.append("\" y=\"").append(place(y)).append("\" width=\"").append(place(bar));
        svg.append("\" height=\"").append(place(HEIGHT - BOTTOM - y)).append("\"><title>");
        svg.append(escaped(curves.get(c).name() + ", " + categories.get(i) + ": "));
        svg.append(number(value)).append(' ').append(words.unit()).append("</title></rect>\n");
      }
    }
    text(svg, LEFT + inner() / 2.0, HEIGHT - BOTTOM + below - 6, "middle", words.below());
    return svg.append("</svg>\n").toString();
  }

  private static void label(StringBuilder svg, double x, String name, boolean slanted) {
    int y = HEIGHT - BOTTOM + 18;
    if (!slanted) {
      text(svg, x, y, "middle", name);
      return;
    }
    String shown = name.length() > LONGEST ? name.substring(0, LONGEST - 1) + "…" : name;
    svg.append("<text transform=\"translate(").append(place(x + 4)).append(' ').append(y - 4);
    svg.append(") rotate(-30)\" text-anchor=\"end\">").append(escaped(shown));
    svg.append("<title>").append(escaped(name)).append("</title></text>\n");
  }

  private static StringBuilder begin(PlotLabels words, int height) {
    StringBuilder svg = new StringBuilder("<svg viewBox=\"0 0 ");
    svg.append(WIDTH).append(' ').append(height).append("\" role=\"img\" aria-label=\"");
    svg.append(escaped(words.title() + ", " + words.unit())).append("\">\n");
    text(svg, LEFT - 8, 16, "end", words.unit());
    return svg;
  }

  private static int inner() {
    return WIDTH - LEFT - RIGHT;
  }

  private static double y(double value, double top) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top;
  }

  private static void vertical(StringBuilder svg, double top) {
    for (int i = 0; i <= TICKS; i++) {
      double value = top * i / TICKS;
      double y = y(value, top);
      svg.append("<line class=\"grid\" x1=\"").append(LEFT).append("\" x2=\"");
      svg.append(WIDTH - RIGHT).append("\" y1=\"").append(place(y)).append("\" y2=\"");
      svg.append(place(y)).append("\"/>\n");
      text(svg, LEFT - 8, y + 4, "end", number(value));
    }
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append("<text x=\"").append(place(x)).append("\" y=\"").append(place(y));
    svg.append("\" text-anchor=\"").append(anchor).append("\">").append(escaped(text));
    svg.append("</text>\n");
  }

  /** The least of 1, 2 and 5 times a power of ten that no value exceeds. */
  private static double top(List<PlotCurve> curves) {
    double largest = 0;
    for (PlotCurve curve : curves) {
      for (double value : curve.values()) {
        largest = Double.isNaN(value) ? largest : Math.max(largest, value);
      }
    }
    if (largest <= 0) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(largest)));
    for (double step : new double[] {1, 2, 5, 10}) {
      if (largest <= step * power * (1 + 1e-9)) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private static String place(double coordinate) {
    return ReplayTableReport.number(coordinate, 1);
  }

  /** A number in as few digits as a plot needs. */
  static String number(double value) {
    double size = Math.abs(value);
    String text = ReplayTableReport.number(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
    if (text.indexOf('.') < 0) {
      return text;
    }
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
  }

  /** Text that may stand in a page. */
  public static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
