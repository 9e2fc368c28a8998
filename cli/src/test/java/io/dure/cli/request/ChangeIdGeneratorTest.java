package io.dure.cli.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.process.CurrentProcessCaller;
import io.dure.cluster.RequestId;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each change has a name of its own, and the same one when its call is run again. */
@Tag("pure")
class ChangeIdGeneratorTest {
  private static final Command.UserCommand FIRST =
      new Command.RequeueJob(new JobSelector(7, null), false, false, false);
  private static final Command.UserCommand SECOND =
      new Command.RequeueJob(new JobSelector(8, null), false, false, false);

  private static List<String> names(String call) {
    ChangeIdGenerator names =
        new ChangeIdGenerator(new CurrentProcessCaller(Path.of("/proc"), call));
    return Stream.of(
            names.named(FIRST, null),
            names.named(SECOND, null),
            names.named(FIRST, "bob"),
            names.named(FIRST, null),
            names.named(FIRST, null))
        .map(change -> String.valueOf(change.requestId()))
        .toList();
  }

  @Test
  void eachHasItsOwn() {
    Set<String> all = new HashSet<>();
    for (String call : new String[] {"a", "b", null}) {
      for (String name : names(call)) {
        assertNotNull(RequestId.parse(name), name);
        assertTrue(all.add(name), "given twice");
      }
    }
  }

  @Test
  void aCallThatIsRunAgainHasTheSameInWhateverOrder() {
    assertEquals(names("a"), names("a"));
    ChangeIdGenerator again =
        new ChangeIdGenerator(new CurrentProcessCaller(Path.of("/proc"), "a"));
    assertEquals(names("a").get(1), again.named(SECOND, null).requestId());
    assertEquals(names("a").get(0), again.named(FIRST, null).requestId());
  }
}
