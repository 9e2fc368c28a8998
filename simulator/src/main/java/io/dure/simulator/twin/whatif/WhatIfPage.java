package io.dure.simulator.twin.whatif;

/** The answer as a page. */
final class WhatIfPage {
  private WhatIfPage() {}

  static String text(Comparison comparison) {
    return comparison.heading().name();
  }
}
