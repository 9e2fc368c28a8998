package io.dure.surface.accounts;

import io.dure.surface.print.PlainText;
import java.util.List;

/**
 * A table as the commands of accounts print it.
 *
 * @param style between what its columns stand
 * @param header whether it has a header
 * @param bar what stands where the style has bars
 */
public record AccountingTable(AccountingTable.Style style, boolean header, String bar) {

  /** A table with bars. */
  public AccountingTable(AccountingTable.Style style, boolean header) {
    this(style, header, "|");
  }

  /** Between what columns stand. */
  public enum Style {
    /** Of their width, blanks between. */
    COLUMNS,
    /** Bars between, and one at the end. */
    BARS_AND_END,
    /** Bars between. */
    BARS
  }

  /** How many lines its header has. */
  public int headerLines() {
    return !header ? 0 : style == Style.COLUMNS ? 2 : 1;
  }

  /** The table's text. */
  public <R> String text(List<AccountingField<R>> fields, List<R> rows) {
    StringBuilder out = new StringBuilder();
    if (header) {
      headers(out, fields);
    }
    for (R row : rows) {
      for (int i = 0; i < fields.size(); i++) {
        AccountingField<R> field = fields.get(i);
        cell(
            out,
            PlainText.of(field.value().apply(row)),
            field.width(),
            i == fields.size() - 1,
            false);
      }
      out.append('\n');
    }
    return out.toString();
  }

  private <R> void headers(StringBuilder out, List<AccountingField<R>> fields) {
    for (int i = 0; i < fields.size(); i++) {
      AccountingField<R> field = fields.get(i);
      cell(out, field.header(), field.width(), i == fields.size() - 1, true);
    }
    out.append('\n');
    if (style == Style.COLUMNS) {
      for (AccountingField<R> field : fields) {
        out.repeat('-', Math.abs(field.width())).append(' ');
      }
      out.append('\n');
    }
  }

  private void cell(StringBuilder out, String text, int width, boolean last, boolean isHeader) {
    switch (style) {
      case COLUMNS -> aligned(out, text, width, isHeader);
      case BARS_AND_END -> out.append(text).append(bar);
      case BARS -> {
        out.append(text);
        if (!last) {
          out.append(bar);
        }
      }
    }
  }

  private static void aligned(StringBuilder out, String text, int width, boolean isHeader) {
    int room = Math.abs(width);
    String shown = text;
    if (text.length() > room) {
      shown = isHeader ? text.substring(0, room) : text.substring(0, room - 1) + "+";
    }
    int blanks = room - shown.length();
    if (width > 0) {
      out.repeat(' ', blanks).append(shown).append(' ');
    } else {
      out.append(shown).repeat(' ', blanks + 1);
    }
  }
}
