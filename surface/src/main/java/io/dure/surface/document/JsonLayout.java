package io.dure.surface.document;

import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;

/** How documents are laid out: two blanks for each level. */
public final class JsonLayout extends ObjectWriteContext.Base {
  private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");

  @Override
  public boolean hasPrettyPrinter() {
    return true;
  }

  @Override
  public PrettyPrinter getPrettyPrinter() {
    return new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""))
        .withObjectIndenter(INDENT)
        .withArrayIndenter(INDENT);
  }
}
