package io.dure.simulator.twin.report;

import java.util.List;

/** Plots as SVG text, to stand in a page. */
final class Svg {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 280;
  private static final int LEFT = 64;
  private static final int RIGHT = 16;
  private static final int TOP = 12;
  private static final int BOTTOM = 44;
  private static final int TICKS = 5;
  private static final int COLOURS = 8;

  private Svg() {}

  /**
   * Lines over time.
   *
   * @param days how long the longest curve is; each curve is drawn over its own length
   * @param lengths days of each curve
   */
  static String lines(String title, List<Curve> curves, double days, List<Double> lengths) {
    double top = top(curves);
    StringBuilder svg = begin(title);
    vertical(svg, top);
    for (int i = 0; i <= TICKS; i++) {
      double x = LEFT + (double) inner() * i / TICKS;
      text(svg, x, HEIGHT - BOTTOM + 18, "middle", number(days * i / TICKS));
    }
    text(svg, LEFT + inner() / 2.0, HEIGHT - 8, "middle", "days since the first submission");
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

  /** Groups of bars: of each curve one value for each category. */
  static String bars(String title, List<String> categories, List<Curve> curves) {
    double top = top(curves);
    StringBuilder svg = begin(title);
    vertical(svg, top);
    double group = (double) inner() / Math.max(1, categories.size());
    double bar = group * 0.8 / Math.max(1, curves.size());
    for (int i = 0; i < categories.size(); i++) {
      double x = LEFT + group * i;
      text(svg, x + group / 2, HEIGHT - BOTTOM + 18, "middle", categories.get(i));
      for (int c = 0; c < curves.size(); c++) {
        double value = curves.get(c).values().get(i);
        if (Double.isNaN(value)) {
          continue;
        }
        double y = y(value, top);
        svg.append("<rect class=\"c").append(c % COLOURS);
        svg.append("\" x=\"").append(number(x + group * 0.1 + bar * c));
        svg.append("\" y=\"").append(number(y)).append("\" width=\"").append(number(bar));
        svg.append("\" height=\"").append(number(HEIGHT - BOTTOM - y)).append("\"><title>");
        svg.append(escaped(curves.get(c).name() + ", " + categories.get(i) + ": "));
        svg.append(number(value)).append("</title></rect>\n");
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private static StringBuilder begin(String title) {
    StringBuilder svg = new StringBuilder("<svg viewBox=\"0 0 ");
    svg.append(WIDTH).append(' ').append(HEIGHT).append("\" role=\"img\" aria-label=\"");
    return svg.append(escaped(title)).append("\">\n");
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
      svg.append(WIDTH - RIGHT).append("\" y1=\"").append(number(y)).append("\" y2=\"");
      svg.append(number(y)).append("\"/>\n");
      text(svg, LEFT - 8, y + 4, "end", number(value));
    }
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y));
    svg.append("\" text-anchor=\"").append(anchor).append("\">").append(escaped(text));
    svg.append("</text>\n");
  }

  /** The least of 1, 2 and 5 times a power of ten that no value exceeds. */
  private static double top(List<Curve> curves) {
    double largest = 0;
    for (Curve curve : curves) {
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
    return TableReport.number(coordinate, 1);
  }

  /** A number in as few digits as a plot needs. */
  static String number(double value) {
    double size = Math.abs(value);
    String text = TableReport.number(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
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
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
