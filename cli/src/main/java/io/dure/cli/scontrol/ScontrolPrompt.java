package io.dure.cli.scontrol;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.LineTokenizer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads lines from standard input and does what each says, until there are no more. */
final class ScontrolPrompt {

  private static final String PROMPT = "scontrol: ";

  private final ScontrolSession session;
  private final ScontrolInterpreter interpreter;

  ScontrolPrompt(ScontrolSession session, ScontrolInterpreter interpreter) {
    this.session = session;
    this.interpreter = interpreter;
  }

  void run() {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(session.context().in(), StandardCharsets.UTF_8));
    try {
      String line = next(in);
      while (line != null) {
        List<String> words = LineTokenizer.of(line);
        if (words.size() == 1 && words.getFirst().equals("!!")) {
          words = List.of();
        }
        interpreter.run(words);
        if (interpreter.hasEnded()) {
          return;
        }
        line = next(in);
      }
      session.print("\n");
    } catch (IOException e) {
      session.fail(CommandException.error("Could not read standard input: " + e.getMessage()));
    }
  }

  private @Nullable String next(BufferedReader in) throws IOException {
    session.print(PROMPT);
    session.context().out().flush();
    return in.readLine();
  }
}
