package io.dure.surface.document;

import java.io.OutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;

/** JSON: two blanks for each level, or in one line. */
public final class JsonNotation implements DocumentNotation {
  // Names that stand some thirty times in each job are encoded once.
  private static final SerializableString SET = new SerializedString("set");
  private static final SerializableString INFINITE = new SerializedString("infinite");
  private static final SerializableString NUMBER = new SerializedString("number");

  private final JsonGenerator out;

  public JsonNotation(OutputStream stream, boolean compact) {
    ObjectWriteContext layout = compact ? ObjectWriteContext.empty() : new JsonLayout();
    out = new JsonFactory().createGenerator(layout, stream);
  }

  @Override
  public void startObject() {
    out.writeStartObject();
  }

  @Override
  public void startObject(String name) {
    out.writeObjectPropertyStart(name);
  }

  @Override
  public void endObject() {
    out.writeEndObject();
  }

  @Override
  public void startList(String name) {
    out.writeArrayPropertyStart(name);
  }

  @Override
  public void endList() {
    out.writeEndArray();
  }

  @Override
  public void text(String value) {
    out.writeString(value);
  }

  @Override
  public void text(String name, String value) {
    out.writeStringProperty(name, value);
  }

  @Override
  public void number(String name, long value) {
    out.writeNumberProperty(name, value);
  }

  @Override
  public void fraction(String name, double value) {
    out.writeNumberProperty(name, value);
  }

  @Override
  public void flag(String name, boolean value) {
    out.writeBooleanProperty(name, value);
  }

  @Override
  public void optional(String name, boolean set, boolean infinite, long number) {
    startOptional(name, set, infinite);
    out.writeNumber(number);
    out.writeEndObject();
  }

  @Override
  public void optional(String name, boolean set, boolean infinite, double number) {
    startOptional(name, set, infinite);
    out.writeNumber(number);
    out.writeEndObject();
  }

  private void startOptional(String name, boolean set, boolean infinite) {
    out.writeObjectPropertyStart(name);
    out.writeName(SET);
    out.writeBoolean(set);
    out.writeName(INFINITE);
    out.writeBoolean(infinite);
    out.writeName(NUMBER);
  }

  @Override
  public void close() {
    out.writeRaw('\n');
    out.close();
  }
}
