package io.dure.cli.man;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.CommandRegistry;
import io.dure.cli.command.FakeContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("pure")
class ManPagesTest {
  @TempDir private Path directory;

  @Test
  void aHelpTextIsAPage() {
    String help =
        """
        Usage: thing [OPTIONS] FILE
               thing -x
        Does a thing. It does
        it well.
          -a, --all=list            all of them,
                                    in order
              --long-one[=how]
                                    how \\ long

        Help options:
          -h, --help                print this text
        .hidden words
        """;
    assertEquals(
        """
        .TH "THING" "1" "" "Dure 0.1.0"
        .SH "NAME"
        thing \\- do a thing
        .SH "SYNOPSIS"
        .nf
        thing [OPTIONS] FILE
        thing \\-x
        .fi
        .SH "DESCRIPTION"
        .PP
        Does a thing. It does it well.
        .SH "OPTIONS"
        .TP
        \\fB\\-a, \\-\\-all=list\\fR
        all of them, in order
        .TP
        \\fB\\-\\-long\\-one[=how]\\fR
        how \\e long
        .SS "Help options"
        .TP
        \\fB\\-h, \\-\\-help\\fR
        print this text
        .PP
        \\&.hidden words
        .SH "SEE ALSO"
        slurm.conf(5)
        """,
        CommandPage.of("thing", "do a thing", help, List.of()));
  }

  @Test
  void allPagesAreWritten() throws IOException {
    FakeContext world = new FakeContext();
    Files.createDirectory(directory.resolve("man1"));
    Files.createDirectory(directory.resolve("man5"));
    Path settings = directory.resolve("settings.md");
    Files.writeString(
        settings,
        """
        # Settings

        Some [words](there.md).

        ## Cluster

        | key | value | default | used |
        |---|---|---|---|
        | `AuthType` | text | `auth/munge` | no |
        | `ClusterName` | text |  | yes |
        """);
    assertEquals(
        0,
        new MakeManPages(CommandRegistry::forUsers)
            .run(world.call("make-man-pages", directory.toString(), settings.toString())),
        world.errors());
    String srun = Files.readString(directory.resolve("man1/srun.1"));
    assertTrue(srun.contains(".SH \"OPTIONS AS OF SBATCH\""), srun);
    assertTrue(srun.contains("\\-\\-reservation="), srun);
    String conf = Files.readString(directory.resolve("man5/slurm.conf.5"));
    assertTrue(conf.contains(".PP\nSome words.\n.SS \"Cluster\"\n.TP\n\\fBAuthType\\fR\n"), conf);
    assertTrue(conf.contains("text; usually auth/munge. No effect.\n"), conf);
  }
}
