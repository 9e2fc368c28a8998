package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.language.Phrases;
import io.dure.cli.request.JobWord;
import io.dure.cli.why.Why;
import io.dure.core.controller.Caller;
import io.dure.core.explain.Explainer;
import io.dure.core.explain.Question;
import io.dure.core.model.Job;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said of a job that waits, in each of the situations. */
class WhyScreensTest {
  private final FakeContext world = new FakeContext();

  static Stream<String> situations() {
    return Situation.NAMES.stream();
  }

  @ParameterizedTest
  @MethodSource("situations")
  void theScreenIsAsKept(String name) throws IOException {
    Situation situation = Situation.of(name);
    situation.keep("why", language -> screen(situation.site(), situation.asked(), language));
  }

  private String screen(Site site, String word, String language, String... options) {
    JobWord named = JobWord.parse(word);
    Job job = Explainer.meant(site.state(), named.selector());
    Caller.User owner = new Caller.User(job.owner(), List.of(), false);
    Question question =
        new Question(
            site.state(),
            job,
            site.now(),
            site.verdict(job.id()),
            owner,
            _ -> true,
            Question.USUAL_EFFORT);
    ScriptedController controller = new ScriptedController();
    controller.answer(new Response.Explained(Explainer.explain(question)));
    world.controller = controller;
    world.environment.put("LANG", language);
    world.out.reset();
    String[] words =
        Stream.concat(Stream.of("dure-why", word), Stream.of(options)).toArray(String[]::new);
    assertEquals(0, new Why().run(world.call(words)), world::errors);
    return world.out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void bothLanguagesHaveTheSamePhrases() {
    Phrases english = Phrases.of(Why.class, Map.of());
    Phrases korean = Phrases.of(Why.class, Map.of("LANG", "ko_KR.UTF-8"));
    assertEquals(english.names(), korean.names());
    TreeSet<String> different = new TreeSet<>();
    for (String name : english.names()) {
      for (String put : List.of("{0}", "{1}", "{2}", "{3}", "{4}", "{5}")) {
        if (english.text(name).contains(put) != korean.text(name).contains(put)) {
          different.add(name + " " + put);
        }
      }
    }
    assertEquals(new TreeSet<>(), different);
  }
}
