package io.dure.surface.json;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes JSON in Slurm's manner: two blanks for each level, a number that may be missing as an
 * object that says so, no null. For one thread.
 */
public final class SlurmJsonWriter implements AutoCloseable {
  // Names that stand some thirty times in each job are encoded once.
  private static final SerializableString SET = new SerializedString("set");
  private static final SerializableString INFINITE = new SerializedString("infinite");
  private static final SerializableString NUMBER = new SerializedString("number");

  private final JsonTarget target;
  private final JsonGenerator out;

  private SlurmJsonWriter(JsonTarget target, ObjectWriteContext layout) {
    this.target = target;
    this.out = new JsonFactory().createGenerator(layout, new UncloseableOutputStream(target.out()));
  }

  /** A text for a target, in one line if {@code SLURM_JSON} says compact. */
  public static SlurmJsonWriter of(JsonTarget target) {
    String wish = target.environment().get("SLURM_JSON");
    boolean compact = wish != null && wish.contains("compact");
    return new SlurmJsonWriter(target, compact ? ObjectWriteContext.empty() : new JsonLayout());
  }

  /** Where the text goes. */
  JsonTarget target() {
    return target;
  }

  /** Starts an object that stands in a list, or the whole text. */
  public SlurmJsonWriter object() {
    out.writeStartObject();
    return this;
  }

  /** Starts an object as a member. */
  public SlurmJsonWriter object(String name) {
    out.writeObjectPropertyStart(name);
    return this;
  }

  /** Ends the object started last. */
  public SlurmJsonWriter endObject() {
    out.writeEndObject();
    return this;
  }

  /** Starts a list as a member. */
  public SlurmJsonWriter list(String name) {
    out.writeArrayPropertyStart(name);
    return this;
  }

  /** Ends the list started last. */
  public SlurmJsonWriter endList() {
    out.writeEndArray();
    return this;
  }

  /** A text; none at all is the empty one. */
  public SlurmJsonWriter text(String name, @Nullable String value) {
    out.writeStringProperty(name, value == null ? "" : value);
    return this;
  }

  /** A list of texts. */
  public SlurmJsonWriter texts(String name, List<String> values) {
    out.writeArrayPropertyStart(name);
    for (String value : values) {
      out.writeString(value);
    }
    out.writeEndArray();
    return this;
  }

  /** A whole number. */
  public SlurmJsonWriter number(String name, long value) {
    out.writeNumberProperty(name, value);
    return this;
  }

  /** A number with a fraction. */
  public SlurmJsonWriter fraction(String name, double value) {
    out.writeNumberProperty(name, value);
    return this;
  }

  /** True or false. */
  public SlurmJsonWriter flag(String name, boolean value) {
    out.writeBooleanProperty(name, value);
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

  /** A moment in seconds since 1970, 0 for none. */
  public SlurmJsonWriter time(String name, @Nullable Instant value) {
    return optional(name, true, false, value == null ? 0 : value.getEpochSecond());
  }

  private SlurmJsonWriter optional(String name, boolean set, boolean infinite, long number) {
    out.writeObjectPropertyStart(name);
    out.writeName(SET);
    out.writeBoolean(set);
    out.writeName(INFINITE);
    out.writeBoolean(infinite);
    out.writeName(NUMBER);
    out.writeNumber(number);
    out.writeEndObject();
    return this;
  }

  /** Ends the text with a line feed. */
  @Override
  public void close() {
    out.writeRaw('\n');
    out.close();
  }
}
