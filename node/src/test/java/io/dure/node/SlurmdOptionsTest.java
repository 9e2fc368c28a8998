package io.dure.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.SlurmdParameters.SocketKind;
import io.dure.model.node.NodeNotes;
import io.dure.node.SlurmdOptions.Task;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command line as slurmd(8) has it. */
@Tag("pure")
class SlurmdOptionsTest {
  private static SlurmdOptions parse(String... arguments) throws SlurmdUsageException {
    return SlurmdOptions.parse(List.of(arguments));
  }

  @Test
  void nothingIsTheDaemon() throws Exception {
    SlurmdOptions options = parse();
    assertEquals(Task.RUN, options.task());
    assertNull(options.conf());
    assertNull(options.nodeName());
    assertEquals(0, options.verbosity());
  }

  @Test
  void lettersMayStandTogetherAndValuesMayFollowAtOnce() throws Exception {
    SlurmdOptions options =
        parse("-Dcvv", "-f/etc/s.conf", "-N", "n1", "-vLlog", "-M", "-b", "-n5");
    assertTrue(options.foreground());
    assertTrue(options.clearSpool());
    assertEquals(3, options.verbosity());
    assertEquals("/etc/s.conf", options.conf());
    assertEquals("n1", options.nodeName());
    assertEquals("log", options.logFile());
    assertEquals(new ProcessOptions(5, true, false, false), options.process());
    assertTrue(options.told().booted());
    assertTrue(parse("-s").process().changeDirectory());
  }

  @Test
  void dynamicNode() throws Exception {
    SlurmdOptions options =
        parse("-Z", "--conf", "CPUs=2 Feature=a", "--instance-id=i", "--extra", "x", "--systemd");
    assertTrue(options.dynamic());
    assertEquals("CPUs=2 Feature=a", options.dynamicConf());
    assertEquals(new NodeNotes("", "x", "i", ""), options.told().notes());
    assertTrue(options.process().systemd());
    assertTrue(options.foreground());
    assertEquals("X=1", parse("-Z", "--conf=X=1").dynamicConf());
  }

  @Test
  void wordsOfSlurmdParameters() throws Exception {
    SlurmdOptions options = parse("-C", "--parameters", "numa_node_as_socket");
    assertEquals(SocketKind.NUMA_NODE, options.parameters().sockets());
    assertNull(parse("-C").parameters().sockets());
    assertThrows(SlurmdUsageException.class, () -> parse("--parameters=dure_job_processes=few"));
  }

  @Test
  void printing() throws Exception {
    assertEquals(Task.HARDWARE, parse("-C").task());
    assertEquals(Task.GRES, parse("-G").task());
    assertEquals(Task.VERSION, parse("-V").task());
    assertEquals(Task.VERSION, parse("--version").task());
    assertEquals(Task.HELP, parse("--help").task());
  }

  @Test
  void whatSlurmdDoesNotKnow() {
    refused("invalid option -- 'x'", "-Dx");
    refused("unrecognized option '--nonsense'", "--nonsense");
    refused("option requires an argument -- 'N'", "-N");
    refused("option requires an argument '--conf'", "--conf");
    refused("unrecognized argument 'n1'", "n1");
    refused("-n high: a nice value is a number from -20 to 19", "-n", "high");
    refused("-n 20: a nice value is a number from -20 to 19", "-n20");
    refused("unrecognized argument 'n1'", "-D", "--", "n1");
  }

  private static void refused(String text, String... arguments) {
    assertEquals(
        text, assertThrows(SlurmdUsageException.class, () -> parse(arguments)).getMessage());
  }
}
