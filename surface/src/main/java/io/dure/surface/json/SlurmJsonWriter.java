package io.dure.surface.json;

import io.dure.model.ExitStatus;
import io.dure.model.accounting.TresAmounts;
import io.dure.surface.accounts.TresNumbers;
import io.dure.surface.document.DescribedNotation;
import io.dure.surface.document.DocumentNotation;
import io.dure.surface.document.DocumentSchemas;
import io.dure.surface.document.JsonNotation;
import io.dure.surface.document.Shape;
import io.dure.surface.document.YamlNotation;
import io.dure.surface.value.SignalParser;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a document in Slurm's manner, as JSON or YAML: a number that may be missing as an object
 * that says so, no null. For one thread.
 */
public final class SlurmJsonWriter implements AutoCloseable {

  private static final int MICROS = 1_000_000;

  private final JsonTarget target;
  private final DocumentNotation out;

  private SlurmJsonWriter(JsonTarget target, DocumentNotation out) {
    this.target = target;
    this.out = out;
  }

  /** A text that no schema describes; JSON is in one line if the target says compact. */
  public static SlurmJsonWriter of(JsonTarget target) {
    return new SlurmJsonWriter(target, notation(target));
  }

  /**
   * A text that has what a schema has in the version asked for; see {@link DescribedNotation}.
   *
   * @param schema such as {@code openapi_job_info_resp}
   */
  public static SlurmJsonWriter of(JsonTarget target, String schema) {
    Shape shape = DocumentSchemas.all().shape(schema, target.format().parser());
    return new SlurmJsonWriter(target, new DescribedNotation(notation(target), shape));
  }

  private static DocumentNotation notation(JsonTarget target) {
    OutputStream stream = new UncloseableOutputStream(target.out());
    if (target.format().yaml()) {
      return new YamlNotation(stream);
    }
    return new JsonNotation(stream, target.compact());
  }

  /** Where the text goes. */
  JsonTarget target() {
    return target;
  }

  /** Starts an object that stands in a list, or the whole text. */
  public SlurmJsonWriter object() {
    out.startObject();
    return this;
  }

  /** Starts an object as a member. */
  public SlurmJsonWriter object(String name) {
    out.startObject(name);
    return this;
  }

  /** Ends the object started last. */
  public SlurmJsonWriter endObject() {
    out.endObject();
    return this;
  }

  /** Starts a list as a member. */
  public SlurmJsonWriter list(String name) {
    out.startList(name);
    return this;
  }

  /** Ends the list started last. */
  public SlurmJsonWriter endList() {
    out.endList();
    return this;
  }

  /** A text; none at all is the empty one. */
  public SlurmJsonWriter text(String name, @Nullable String value) {
    out.text(name, value == null ? "" : value);
    return this;
  }

  /** A list of texts. */
  public SlurmJsonWriter texts(String name, List<String> values) {
    out.startList(name);
    for (String value : values) {
      out.text(value);
    }
    out.endList();
    return this;
  }

  /** A whole number. */
  public SlurmJsonWriter number(String name, long value) {
    out.number(name, value);
    return this;
  }

  /** A number with a fraction. */
  public SlurmJsonWriter fraction(String name, double value) {
    out.fraction(name, value);
    return this;
  }

  /** True or false. */
  public SlurmJsonWriter flag(String name, boolean value) {
    out.flag(name, value);
    return this;
  }

  /** A number that may be missing. */
  public SlurmJsonWriter maybe(String name, @Nullable Long value) {
    return optional(name, value != null, false, value == null ? 0 : value);
  }

  /** A number that may be missing. */
  public SlurmJsonWriter maybe(String name, @Nullable Integer value) {
    return maybe(name, value == null ? null : Long.valueOf(value));
  }

  /** A number for which missing means that there is no bound. */
  public SlurmJsonWriter bound(String name, @Nullable Long value) {
    return optional(name, value != null, value == null, value == null ? 0 : value);
  }

  /** A number with a fraction that may be missing, or without bounds. */
  public SlurmJsonWriter decimal(String name, @Nullable Double value) {
    boolean infinite = value != null && value.isInfinite();
    double number = value == null || infinite ? 0 : value;
    out.optional(name, value != null && !infinite, infinite, number);
    return this;
  }

  /** A moment in seconds since 1970, 0 for none. */
  public SlurmJsonWriter time(String name, @Nullable Instant value) {
    return optional(name, true, false, value == null ? 0 : value.getEpochSecond());
  }

  /** Processor time in two parts. */
  public SlurmJsonWriter cpuTime(String name, long micros) {
    return object(name)
        .number("seconds", micros / MICROS)
        .number("microseconds", micros % MICROS)
        .endObject();
  }

  /** An exit code: a signal or a number, and a word for it. */
  public SlurmJsonWriter exit(String name, String status, ExitStatus exit) {
    boolean signalled = exit.signal() != 0;
    return object(name)
        .texts("status", List.of(status))
        .maybe("return_code", signalled ? null : exit.code())
        .object("signal")
        .maybe("id", signalled ? exit.signal() : null)
        .text("name", signalled ? SignalParser.name(exit.signal()) : "")
        .endObject()
        .endObject();
  }

  /** The word for the end of a process. */
  public static String ending(ExitStatus exit) {
    return exit.signal() != 0 ? "SIGNALED" : exit.code() == 0 ? "SUCCESS" : "ERROR";
  }

  /** Amounts of resources. */
  public SlurmJsonWriter resources(String name, TresAmounts amounts, TresNumbers numbers) {
    list(name);
    for (TresAmounts.Amount amount : amounts.amounts()) {
      object().resource(amount.name(), numbers).number("count", amount.amount()).endObject();
    }
    return endList();
  }

  /** The members that say which resource it is. */
  public SlurmJsonWriter resource(String name, TresNumbers numbers) {
    int slash = name.indexOf('/');
    return text("type", slash < 0 ? name : name.substring(0, slash))
        .text("name", slash < 0 ? "" : name.substring(slash + 1))
        .number("id", numbers.of(name));
  }

  private SlurmJsonWriter optional(String name, boolean set, boolean infinite, long number) {
    out.optional(name, set, infinite, number);
    return this;
  }

  /** Ends the text with a line feed. */
  @Override
  public void close() {
    out.close();
  }
}
