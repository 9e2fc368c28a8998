package io.dure.restd;

import io.dure.host.config.LocalConfigSource;
import io.dure.host.user.CurrentProcess;
import io.dure.host.user.LibcUserDatabase;
import io.dure.host.user.PasswdEntry;
import io.dure.host.user.Privileges;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The user that the daemon runs as. */
final class DaemonUser {
  private static final String UNCHECKED = "disable_user_check";

  private DaemonUser() {}

  static void become(String user) throws IOException {
    LibcUserDatabase users = new LibcUserDatabase();
    PasswdEntry account = users.userByName(user);
    if (account == null && user.chars().allMatch(Character::isDigit)) {
      account = users.userByUid(Integer.parseUnsignedInt(user));
    }
    if (account == null) {
      throw new IOException("--user=" + user + ": there is no such user");
    }
    if (account.uid() != CurrentProcess.effectiveUid()) {
      Privileges.become(account);
    }
  }

  /** Who can send it requests should get no more rights by it than they have. */
  static void check(Path configuration, @Nullable String security) throws IOException {
    if (security != null && List.of(security.split(",", -1)).contains(UNCHECKED)) {
      return;
    }
    int uid = CurrentProcess.effectiveUid();
    String remedy = ": start it as another user, or with --user=USER as root";
    if (uid == 0) {
      throw new IOException("slurmrestd should not be run as root" + remedy);
    }
    String slurm =
        SlurmConfParser.parse(configuration.toString(), new LocalConfigSource())
            .config()
            .settings()
            .controller()
            .user();
    PasswdEntry account = new LibcUserDatabase().userByName(slurm);
    if (account != null && account.uid() == uid) {
      throw new IOException("slurmrestd should not be run as SlurmUser " + slurm + remedy);
    }
  }
}
