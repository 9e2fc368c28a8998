package io.dure.cli.scrontab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.Reply;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What scrontab sends and says. */
@Tag("pure")
class CrontabCommandTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int scrontab(String... words) {
    world.controller = controller;
    String[] all = new String[words.length + 1];
    all[0] = "scrontab";
    System.arraycopy(words, 0, all, 1, words.length);
    return new Scrontab().run(world.call(all));
  }

  private int install(String text) {
    world.in = text.getBytes(StandardCharsets.UTF_8);
    return scrontab("-");
  }

  private static Response stored(String... texts) {
    return new Response.Text(List.of(texts));
  }

  private static Response decided(Reply reply) {
    return new Response.Decided(reply);
  }

  private Request.Change change() {
    return assertInstanceOf(Request.Change.class, controller.requests.getLast());
  }

  private CrontabChange sent() {
    return assertInstanceOf(Command.ChangeCrontab.class, change().command()).change();
  }

  @Test
  void anEntryIsSentAsTheJobThatItsOptionsAskFor() {
    controller.answer(stored());
    controller.answer(decided(new Reply.Done()));
    world.environment.put("SECRET", "1");
    world.environment.put("SBATCH_PARTITION", "other");
    String text = "A=b c\n#SCRON -t 5 -p short -o out-%j\n*/5 * * * * /opt/bin/tidy --all # now\n";
    assertEquals(0, install(text));
    assertEquals("", world.printed() + world.errors());
    assertEquals(text, sent().text());
    CrontabChange.Entry entry = sent().entries().getFirst();
    assertEquals("*/5 * * * *", entry.entry().schedule().text());
    assertEquals(2, entry.entry().firstLine());
    assertEquals(3, entry.entry().lastLine());
    assertEquals("tidy", entry.spec().name());
    assertEquals(List.of("short"), entry.spec().partitions());
    assertEquals(new TimeLimit.Limited(Duration.ofMinutes(5)), entry.spec().timeLimit());
    Workload.BatchSpec batch = assertInstanceOf(Workload.BatchSpec.class, entry.workload());
    assertEquals("/home/1001", batch.workDirectory());
    assertEquals("out-%j", batch.standardOutput());
    assertTrue(batch.loadUserEnvironment());
    assertEquals(
        "#!/bin/sh\n# This script was created by scrontab.\n\n/opt/bin/tidy --all # now\n",
        entry.texts().script());
    assertTrue(entry.texts().assignments().contains("A=b c"), entry.texts()::environment);
    assertTrue(!entry.texts().environment().contains("SECRET"), entry.texts()::environment);
  }

  @Test
  void wrongLinesAreNamedAndNothingIsSent() {
    controller.answer(stored());
    assertEquals(
        1,
        install(
            """
            61 * * * * true
            #SCRON --array=1-5
            1 * * * * true
            #SCRON -t nonsense
            2 * * * * true
            #SCRON here
            3 * * * * true
            4 * * * * true
            """));
    assertEquals(
        """
        scrontab: error: line 1: bad minute '61': it is from 0 to 59
        scrontab: error: lines 2-3: --array is not for crontabs
        scrontab: error: lines 4-5: Invalid --time specification
        scrontab: error: lines 6-7: Invalid directive found in crontab: here
        There are errors in your crontab.
        """,
        world.errors());
    assertEquals(1, controller.requests.size());
  }

  @Test
  void theControllersWordIsToldWithTheLines() {
    controller.answer(stored());
    controller.answer(
        decided(new Reply.Refused(ErrorCode.INVALID_PARTITION_NAME, "no such thing", 1)));
    assertEquals(1, install("1 * * * * true\n\n#SCRON -p x\n2 * * * * true\n"));
    assertEquals(
        """
        scrontab: error: no such thing
        scrontab: error: lines 3-4: Invalid partition name specified
        There are errors in your crontab.
        """,
        world.errors());
  }

  @Test
  void crontabsAreListedAndRemoved() {
    controller.answer(stored("# mine\n@daily true\n"));
    assertEquals(0, scrontab("-l"));
    assertEquals("# mine\n@daily true\n", world.printed());
    controller.answer(stored());
    assertEquals(1, scrontab("-u", "root", "-l"));
    assertEquals("scrontab: error: no crontab for root\n", world.errors());
    assertEquals(new Request.ShowCrontab("root"), controller.requests.getLast());
    controller.answer(decided(new Reply.Done()));
    assertEquals(0, scrontab("-r", "-u", "root"));
    assertEquals(new CrontabChange("", List.of()), sent());
    assertEquals("root", change().runAs());
  }

  @Test
  void whereThereAreNoneItIsSaid() {
    Response off = new Response.Failed(ErrorCode.DISABLED, "scrontab is disabled on this cluster");
    controller.answer(off);
    assertEquals(1, install("61 * * * * true\n"));
    controller.answer(off);
    assertEquals(1, scrontab("-l"));
    assertEquals(
        "scrontab: fatal: scrontab is disabled on this cluster\n".repeat(2), world.errors());
  }

  @Test
  void exactlyOneThingIsAskedFor() {
    String one = "scrontab: error: Exactly one of -e, -l, -r and a file is needed\n";
    assertEquals(1, scrontab());
    assertEquals(1, scrontab("-l", "-r"));
    assertEquals(1, scrontab("a", "b"));
    assertEquals(1, scrontab("-e", "a"));
    assertEquals(one.repeat(4), world.errors());
    assertEquals(1, scrontab("-u", "nobody-here", "-l"));
    assertEquals(1, scrontab("/no/such/file"));
    assertEquals(1, install("#".repeat(70_000)));
    assertEquals(1, install("a\0b"));
    assertTrue(
        world
            .errors()
            .endsWith(
                """
                scrontab: error: Invalid user name: nobody-here
                scrontab: error: Unable to open file /no/such/file
                scrontab: error: a crontab has at most 65536 bytes, its #DISABLED: and #BAD: marks among them
                scrontab: error: a crontab has no NUL characters
                """),
        world::errors);
    assertEquals(List.of(), controller.requests);
  }

  /** Has the editor put these texts into its file, one each time; null leaves it as it is. */
  private int edit(Path directory, String answers, @Nullable String... texts) {
    world.environment.put("TMPDIR", directory.toString());
    world.environment.put("EDITOR", "ed");
    world.in = answers.getBytes(StandardCharsets.UTF_8);
    Iterator<@Nullable String> next = Arrays.asList(texts).iterator();
    world.program =
        run -> {
          List<String> words = run.words();
          Path file = Path.of(words.getLast());
          String text = words.get(2).startsWith("ed ") ? next.next() : null;
          try {
            if (words.getFirst().equals("rm")) {
              for (String gone : words.subList(2, words.size())) {
                Files.deleteIfExists(Path.of(gone));
              }
            } else if (words.getFirst().equals("mv")) {
              Files.move(Path.of(words.get(2)), file, StandardCopyOption.REPLACE_EXISTING);
            } else if (text != null) {
              Files.writeString(file, text);
              world.status = text.startsWith("# fails") ? 1 : 0;
              world.full = text.startsWith("# fills");
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    return scrontab("-e");
  }

  private static String kept(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> all = files.toList();
      assertTrue(all.size() < 2, all::toString);
      return all.isEmpty() ? "" : Files.readString(all.getFirst());
    }
  }

  private static String told(Path directory) {
    return "scrontab: the edited crontab is kept in "
        + directory.resolve("scrontab-0123456789abcdef0123456789abcdef")
        + "\n";
  }

  @Test
  void whatWasEditedIsKeptUnlessItIsInstalled(@TempDir Path directory) throws IOException {
    String wrong = "61 * * * * true\n";
    controller.answer(stored("@daily true\n"));
    assertEquals(1, edit(directory, "n\n", wrong));
    assertEquals(wrong, kept(directory));
    assertTrue(world.errors().endsWith(told(directory)), world::errors);
    world.err.reset();
    controller.answer(stored("@daily true\n"));
    controller.answer(new Response.Failed(ErrorCode.CANNOT_STORE, "full"));
    assertEquals(1, edit(directory, "", "@hourly true\n"));
    assertEquals("@hourly true\n", kept(directory));
    assertTrue(world.errors().contains(told(directory)), world::errors);
    world.err.reset();
    controller.answer(stored("@daily true\n"));
    controller.answer(decided(new Reply.Done()));
    assertEquals(0, edit(directory, "", "@hourly true\n"));
    assertEquals("", kept(directory));
    controller.answer(stored("@daily true\n"));
    assertEquals(0, edit(directory, "", (String) null));
    assertEquals("", kept(directory));
    assertEquals("scrontab: no changes made to the crontab\n", world.errors());
  }

  @Test
  void whatAnEditorSavedBeforeItFailedIsKept(@TempDir Path directory) throws IOException {
    controller.answer(stored("@daily true\n"));
    assertEquals(1, edit(directory, "", "# fails\n@hourly true\n"));
    assertEquals("# fails\n@hourly true\n", kept(directory));
    assertEquals(told(directory) + "scrontab: error: ed failed\n", world.errors());
    Files.delete(directory.resolve("scrontab-0123456789abcdef0123456789abcdef"));
    controller.answer(stored("# fails\n"));
    assertEquals(1, edit(directory, "", "# fails\n"));
    assertEquals("", kept(directory));
  }

  @Test
  void whatWasEditedStaysWhereTheDiskIsFull(@TempDir Path directory) throws IOException {
    controller.answer(stored("@daily true\n"));
    String wrong = "# fills\n61 * * * * true\n";
    assertEquals(1, edit(directory, "y\n", wrong));
    assertEquals(wrong, kept(directory));
    String file = directory.resolve("scrontab-0123456789abcdef0123456789abcdef").toString();
    assertTrue(
        world
            .errors()
            .contains("scrontab: error: cannot write " + file + ".new: No space left on device\n"),
        world::errors);
    assertTrue(world.errors().contains(told(directory)), world::errors);
  }

  @Test
  void marksThatTheUserDidNotSaveAreNotInstalled(@TempDir Path directory) throws IOException {
    controller.answer(stored("@daily true\n"));
    assertEquals(1, edit(directory, "y\n", "61 * * * * true\n@daily a\n", null));
    assertEquals(1, controller.requests.size());
    assertEquals("#BAD: 61 * * * * true\n@daily a\n", kept(directory));
    assertTrue(
        world.errors().endsWith("scrontab: no changes made to the crontab\n" + told(directory)),
        world::errors);
  }
}
