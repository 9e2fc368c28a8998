package io.dure.protocol.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.collection.IntMap;
import io.dure.model.job.Hold;
import io.dure.model.request.ArrayRequest;
import io.dure.testkit.Cases;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class RecordCodecTest {
  sealed interface Animal {}

  record Cat(String name, int lives) implements Animal {
    static final String TAG = "Cat";
  }

  record Dog(@Nullable Animal chased) implements Animal {
    static final String TAG = "Dog";
  }

  sealed interface Beast {}

  record Feline(String name, int lives) implements Beast {
    static final String TAG = "Cat";
  }

  /** Once it was a cat that they had, now any pet. */
  sealed interface Pet {
    String UNTAGGED = "Cat";
  }

  record HouseCat(String name, int lives) implements Pet {
    static final String TAG = "Cat";
  }

  record Fish(int number) implements Pet {
    static final String TAG = "Fish";
  }

  record Owner(@Nullable Pet pet, List<Pet> more) {}

  record CatOwner(@Nullable Cat pet, List<Cat> more) {}

  sealed interface Untagged {}

  record Stray(int a) implements Untagged {}

  sealed interface Twice {}

  record One(int a) implements Twice {
    static final String TAG = "Number";
  }

  record Two(int a) implements Twice {
    static final String TAG = "Number";
  }

  record Everything(
      int small,
      long large,
      boolean yes,
      @Nullable Integer boxed,
      @Nullable String text,
      Instant when,
      Duration length,
      Hold hold,
      List<Animal> animals,
      Map<String, Cat> cats,
      IntMap<Cat> numbered) {}

  record Before(int a, String b) {}

  record After(int a, String b, long c, @Nullable String d, List<String> e, boolean f) {}

  private static final Everything SAMPLE =
      new Everything(
          -7,
          Long.MIN_VALUE,
          true,
          null,
          "두레",
          Instant.parse("2026-01-02T03:04:05.000000006Z"),
          Duration.ofSeconds(-1, 5),
          Hold.ADMIN,
          List.of(new Cat("a", 9), new Dog(new Dog(null))),
          Map.of("x", new Cat("b", 1)),
          IntMap.<Cat>empty().with(70_000, new Cat("c", 0)));

  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Raw(byte[] one, List<byte[]> more) {}

  @Test
  void bytesAreReadAsTheyWere() {
    RecordCodec<Raw> codec = RecordCodec.of(Raw.class);
    byte[] one = {0, -1, 127};
    Raw read = codec.decode(codec.encode(new Raw(one, List.of(new byte[0], one))));
    assertArrayEquals(one, read.one());
    assertEquals(0, read.more().get(0).length);
    assertArrayEquals(one, read.more().get(1));
  }

  @Test
  void whatWasWrittenIsRead() {
    RecordCodec<Everything> codec = RecordCodec.of(Everything.class);
    assertEquals(SAMPLE, codec.decode(codec.encode(SAMPLE)));
  }

  @Test
  void recordsGrowAtTheirEnd() {
    byte[] old = RecordCodec.of(Before.class).encode(new Before(1, "x"));
    assertEquals(
        new After(1, "x", 0, null, List.of(), false), RecordCodec.of(After.class).decode(old));
    byte[] young =
        RecordCodec.of(After.class).encode(new After(1, "x", 2, "d", List.of("e"), true));
    assertEquals(new Before(1, "x"), RecordCodec.of(Before.class).decode(young));
  }

  record Change(@Nullable List<String> partitions, int count) {}

  record Kennel(List<Cat> cats, List<Cat> more) {}

  @Test
  void equalNeighboursAreOneObjectWhereThatIsWanted() {
    Kennel kennel = new Kennel(List.of(new Cat("a", 1), new Cat("a", 1)), List.of(new Cat("b", 9)));
    RecordCodec<Kennel> codec = RecordCodec.of(Kennel.class).sharing();
    Kennel read = codec.decode(codec.encode(kennel));
    assertEquals(kennel, read);
    assertSame(read.cats().get(0), read.cats().get(1));
    RecordCodec<Kennel> plain = RecordCodec.of(Kennel.class);
    assertTrue(codec.encode(kennel).length < plain.encode(kennel).length);
    assertEquals(kennel, codec.decode(plain.encode(kennel)), "what was written without sharing");
    assertThrows(MalformedMessageException.class, () -> plain.decode(codec.encode(kennel)));
    assertThrows(MalformedMessageException.class, () -> codec.decode(new byte[] {2}));
  }

  @Test
  void aValueThatGoesOnInTheNextRowIsOneObject() {
    RecordCodec<Kennel> codec = RecordCodec.of(Kennel.class).sharing();
    Kennel same = new Kennel(List.of(new Cat("a", 1)), List.of());
    Kennel other = new Kennel(List.of(new Cat("b", 1)), List.of());
    RecordCodec<Kennel>.Rows rows = codec.rows();
    Kennel first = rows.decodeAll(row(codec, other, same)).getLast();
    List<Kennel> second = rows.decodeAll(row(codec, same, same, other));
    assertEquals(List.of(same, same, other), second);
    assertSame(first, second.getFirst());
    assertSame(first.cats(), second.get(1).cats());
    assertEquals(List.of(other, same), rows.decodeAll(row(codec, other, same)));
    assertThrows(
        MalformedMessageException.class,
        () -> rows.decodeAll(new byte[] {2}),
        "a row stands alone");
  }

  private static byte[] row(RecordCodec<Kennel> codec, Kennel... kennels) {
    RecordCodec<Kennel>.Row row = codec.row();
    List.of(kennels).forEach(row::add);
    return row.toByteArray();
  }

  private record Texts(String name, @Nullable String array, @Nullable String comment) {}

  private record TextValues(String name, @Nullable ArrayRequest array, @Nullable String comment) {}

  /** A component was a string in files that are still read. */
  @Test
  void aTextValueIsWrittenAsItsStringWouldBe() {
    for (Texts before :
        List.of(new Texts("7", "7", "7"), new Texts("a", "7", "7"), new Texts("a", null, "a"))) {
      TextValues now =
          new TextValues(before.name(), ArrayRequest.of(before.array()), before.comment());
      for (boolean sharing : List.of(false, true)) {
        RecordCodec<Texts> strings = RecordCodec.of(Texts.class);
        RecordCodec<TextValues> values = RecordCodec.of(TextValues.class);
        byte[] bytes = (sharing ? strings.sharing() : strings).encode(before);
        assertArrayEquals(bytes, (sharing ? values.sharing() : values).encode(now));
        assertEquals(now, (sharing ? values.sharing() : values).decode(bytes));
      }
    }
  }

  @Test
  void whatIsKeptIsNotReadInPart() {
    byte[] newer = RecordCodec.of(After.class).encode(new After(1, "b", 2, null, List.of(), true));
    RecordCodec<Before> older = RecordCodec.of(Before.class);
    assertEquals(new Before(1, "b"), older.decode(newer));
    assertThrows(MalformedMessageException.class, () -> older.exact().decode(newer));
    byte[] saysNothingNew =
        RecordCodec.of(After.class).encode(new After(1, "b", 0, null, List.of(), false));
    assertEquals(new Before(1, "b"), older.exact().decode(saysNothingNew));
    byte[] old = older.encode(new Before(1, "b"));
    assertEquals(
        new After(1, "b", 0, null, List.of(), false),
        RecordCodec.of(After.class).exact().decode(old));
  }

  record Loose(@Nullable String a, @Nullable List<@Nullable String> b) {}

  record Firm(String a, List<String> b) {}

  @Test
  void noListAndAnEmptyListAreTwoThings() {
    RecordCodec<Change> codec = RecordCodec.of(Change.class);
    for (Change change : List.of(new Change(null, 1), new Change(List.of(), 1))) {
      assertEquals(change, codec.decode(codec.encode(change)));
    }
  }

  @Test
  void nullIsRefusedWhereTheSenderIsNotTrusted() {
    RecordCodec<Loose> loose = RecordCodec.of(Loose.class);
    RecordCodec<Firm> firm = RecordCodec.of(Firm.class).strict();
    List<@Nullable String> nothing = new java.util.ArrayList<>();
    nothing.add(null);
    for (Loose bad :
        List.of(new Loose(null, List.of()), new Loose("a", null), new Loose("a", nothing))) {
      assertThrows(MalformedMessageException.class, () -> firm.decode(loose.encode(bad)));
    }
    byte[] good = loose.encode(new Loose("a", List.of("b")));
    assertEquals(new Firm("a", List.of("b")), firm.decode(good));
    Change change = new Change(null, 2);
    RecordCodec<Change> changes = RecordCodec.of(Change.class);
    assertEquals(change, changes.strict().decode(changes.encode(change)));
  }

  @Test
  void aRecordGoesByItsTagWhateverItsClassIsCalled() {
    byte[] bytes = RecordCodec.of(Animal.class).encode(new Cat("a", 9));
    assertEquals(new Feline("a", 9), RecordCodec.of(Beast.class).decode(bytes));
    assertArrayEquals(bytes, RecordCodec.of(Beast.class).encode(new Feline("a", 9)));
  }

  @Test
  void whatWasARecordMayBecomeOneOfSeveral() {
    CatOwner before = new CatOwner(new Cat("a", 1), List.of(new Cat("a", 1), new Cat("b", 2)));
    Owner now =
        new Owner(new HouseCat("a", 1), List.of(new HouseCat("a", 1), new HouseCat("b", 2)));
    byte[] bytes = RecordCodec.of(CatOwner.class).encode(before);
    assertEquals(now, RecordCodec.of(Owner.class).decode(bytes));
    assertArrayEquals(bytes, RecordCodec.of(Owner.class).encode(now));
    byte[] shared = RecordCodec.of(CatOwner.class).sharing().encode(before);
    assertEquals(now, RecordCodec.of(Owner.class).sharing().decode(shared));
    assertArrayEquals(shared, RecordCodec.of(Owner.class).sharing().encode(now));
    Owner mixed = new Owner(null, List.of(new Fish(3), new HouseCat("a", 1), new Fish(3)));
    for (RecordCodec<Owner> codec :
        List.of(RecordCodec.of(Owner.class), RecordCodec.of(Owner.class).sharing().strict())) {
      assertEquals(mixed, codec.decode(codec.encode(mixed)));
    }
    byte[] newer = RecordCodec.of(Owner.class).encode(mixed);
    assertThrows(
        MalformedMessageException.class, () -> RecordCodec.of(CatOwner.class).decode(newer));
  }

  @Test
  void aRecordWithoutATagOfItsOwnIsRefused() {
    for (Class<?> type : List.of(Untagged.class, Twice.class)) {
      assertThrows(IllegalArgumentException.class, () -> RecordCodec.of(type));
    }
  }

  @Test
  void anUnknownKindIsNamed() {
    byte[] bytes = RecordCodec.of(Animal.class).encode(new Cat("a", 1));
    String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    byte[] changed =
        text.replace("Cat", "Cow").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    MalformedMessageException e =
        assertThrows(
            MalformedMessageException.class, () -> RecordCodec.of(Animal.class).decode(changed));
    assertEquals("unknown kind of Animal: Cow", e.getMessage());
  }

  @Test
  void damagedBytesAreRefusedAndNothingElseHappens() {
    RecordCodec<Everything> codec = RecordCodec.of(Everything.class);
    byte[] good = codec.encode(SAMPLE);
    Random random = new Random(1 + Cases.seeds());
    int refused = 0;
    for (int i = 0; i < Cases.of(20_000); i++) {
      byte[] bad = good.clone();
      for (int j = random.nextInt(1, 4); j > 0; j--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
      }
      try {
        assertNotNull(codec.decode(bad));
      } catch (MalformedMessageException e) {
        refused++;
      }
    }
    assertTrue(refused > Cases.of(1000), "refused " + refused);
  }
}
