package io.dure.cli.scontrol.cluster;

import io.dure.cli.connect.ClusterConnector;
import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code scontrol token}: prints a token as an assignment to be exported. */
public final class TokenVerb {
  private static final String FAILED = "Error fetching token";
  private static final String LIFESPAN = "lifespan=";
  private static final String USER = "username=";

  private final ScontrolSession session;

  /** Acts in the session. */
  public TokenVerb(ScontrolSession session) {
    this.session = session;
  }

  /** Asks for a token as the words say, and prints it. */
  public void run(List<String> words) throws CommandException {
    Request.MakeToken asked = asked(words);
    Response answer;
    try {
      answer = session.exchange(asked);
    } catch (IOException e) {
      throw failure("receiving response: " + e.getMessage());
    }
    Reply.Refused refused = ResponseCheck.refusal(answer);
    if (refused != null) {
      throw failure("with request: " + refused.code().text());
    }
    if (!(answer instanceof Response.Text(List<String> lines)) || lines.isEmpty()) {
      // So Slurm says it where it has no auth/jwt; the controller's log has why.
      throw CommandException.plain(FAILED);
    }
    session.print(ClusterConnector.TOKEN_VARIABLE + "=" + lines.getFirst() + "\n");
  }

  private static CommandException failure(String what) {
    return CommandException.error("slurm_fetch_token: error " + what)
        .and(StderrMessage.plain(FAILED));
  }

  private static Request.MakeToken asked(List<String> words) throws CommandException {
    int seconds = 0;
    String user = null;
    for (String word : words) {
      String lower = word.toLowerCase(Locale.ROOT);
      Integer lifespan = lower.startsWith(LIFESPAN) ? seconds(lower) : null;
      if (lifespan != null) {
        seconds = lifespan;
      } else if (lower.startsWith(USER) && word.length() > USER.length()) {
        user = word.substring(USER.length());
      } else {
        throw CommandException.plain("Invalid option: `" + word + "`");
      }
    }
    return new Request.MakeToken(user, seconds);
  }

  /** A lifespan of Slurm's: no more than a number of 31 bits. */
  private static @Nullable Integer seconds(String word) {
    String text = word.substring(LIFESPAN.length());
    if (text.equals("infinite") || text.equals("unlimited")) {
      return Integer.MAX_VALUE;
    }
    try {
      return Integer.parseUnsignedInt(text) < 0 ? null : Integer.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
