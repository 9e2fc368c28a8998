package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.fragmentation.FragmentationCommand;
import io.dure.placement.AllocationLedger;
import io.dure.protocol.Response;
import io.dure.surface.language.LocalizedPhrases;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Screens of situations, kept as files: lines that make the situation, then the screen in English
 * and in Korean. {@code -Ddure.screens=DIR} writes them there.
 */
@Tag("pure")
class FragmentationScreensTest {
  private final FakeContext world = new FakeContext();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no-gpus",
        "nobody-asks",
        "cpus-gone",
        "memory-gone",
        "split-over-nodes",
        "parts-of-gpus",
        "types-and-closed-nodes",
        "many-kinds",
      })
  void theScreenIsAsKept(String name) throws IOException {
    String kept;
    try (InputStream in =
        getClass().getResourceAsStream("/screens/fragmentation/" + name + ".txt")) {
      kept = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    String situation = kept.split("\n--- ", 2)[0].stripTrailing() + "\n";
    Site site = play(situation.lines().toList());
    String found =
        situation
            + "\n--- LANG=C\n"
            + screen(site, "C")
            + "\n--- LANG=ko_KR.UTF-8\n"
            + screen(site, "ko_KR.UTF-8");
    String folder = System.getProperty("dure.screens");
    if (folder != null) {
      Files.writeString(Path.of(folder, name + ".txt"), found);
    }
    assertEquals(kept, found);
  }

  private static Site play(List<String> lines) {
    Site site = new Site(of(lines, "conf: "), of(lines, "gres: "), List.of());
    for (String line : lines) {
      if (line.startsWith("job: ")) {
        site.submit("alice", line.substring("job: ".length()));
      } else if (line.startsWith("down: ")) {
        site.drain(line.substring("down: ".length()));
      }
    }
    return site;
  }

  private static List<String> of(List<String> lines, String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()))
        .toList();
  }

  private String screen(Site site, String language, String... options) {
    ScriptedController controller = new ScriptedController();
    controller.answer(
        new Response.Fragments("test", AllocationLedger.gpus(site.state()), FakeContext.NOW));
    world.controller = controller;
    world.environment.put("LANG", language);
    world.out.reset();
    String[] words = new String[options.length + 1];
    words[0] = "dure-fragmentation";
    System.arraycopy(options, 0, words, 1, options.length);
    assertEquals(0, new FragmentationCommand().run(world.call(words)));
    return world.out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void allKindsOfRequestsOnDemand() {
    Site site =
        new Site(List.of("NodeName=n1 CPUs=64 RealMemory=64000 Gres=gpu:8"), List.of(), List.of());
    for (int cpus = 1; cpus <= 8; cpus++) {
      site.submit("alice", "-c" + cpus + " --gres=gpu:1 --mem=1G");
    }
    assertTrue(screen(site, "C").contains("and 2 other kinds of request"));
    assertTrue(screen(site, "C", "--all").contains("7 CPUs"));
  }

  @Test
  void aControllerThatIsNotThereIsToldOf() {
    assertEquals(1, new FragmentationCommand().run(world.call("dure-fragmentation")));
    String said = world.err.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("Unable to contact slurm controller"), said);
  }

  @Test
  void bothLanguagesHaveTheSamePhrases() {
    LocalizedPhrases english = LocalizedPhrases.of(FragmentationCommand.class, Map.of());
    LocalizedPhrases korean =
        LocalizedPhrases.of(FragmentationCommand.class, Map.of("LANG", "ko_KR.UTF-8"));
    assertEquals(english.names(), korean.names());
    for (String name : english.names()) {
      assertEquals(english.text(name).contains("{1}"), korean.text(name).contains("{1}"), name);
    }
  }

  @Test
  void theLanguageIsWhatTheCallersVariablesSay() {
    Map<String, String> both = Map.of("LANG", "ko_KR.UTF-8", "LC_ALL", "C");
    assertEquals("FREE", LocalizedPhrases.of(FragmentationCommand.class, both).text("free"));
    assertEquals(
        "FREE",
        LocalizedPhrases.of(FragmentationCommand.class, Map.of("LANG", "kok_IN")).text("free"));
    assertEquals(4, LocalizedPhrases.columns("남음"));
  }
}
