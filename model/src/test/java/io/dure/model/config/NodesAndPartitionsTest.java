package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.NodeConfig.Shape;
import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import io.dure.model.config.slurmconf.ParsedConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class NodesAndPartitionsTest {
  private static List<String> errors(String text) {
    return ConfText.found(ConfText.with(text), Severity.ERROR);
  }

  private static List<String> warnings(String text) {
    return ConfText.found(ConfText.with(text), Severity.WARNING);
  }

  private static NodeConfig node(String line) {
    ParsedConfig parsed = ConfText.with("NodeName=x " + line + "\n");
    assertEquals(List.of(), parsed.errors());
    return parsed.config().node("x");
  }

  private static PartitionConfig partition(String line) {
    ParsedConfig parsed = ConfText.with("PartitionName=x " + line + "\n");
    assertEquals(List.of(), parsed.errors());
    return parsed.config().partition("x");
  }

  @Test
  void aNodeHasDefaults() {
    NodeConfig node = node("");
    assertEquals("x", node.address());
    assertEquals("x", node.hostName());
    assertEquals(6818, node.port());
    assertEquals(new Shape(1, 1, 1, 1, 1), node.shape());
    assertEquals(1, node.realMemoryMib());
    assertEquals(1, node.weight());
    assertEquals(NodeConfig.State.UNKNOWN, node.state());
  }

  @Test
  void rangesOfNodesHaveRangesOfPorts() {
    ParsedConfig parsed =
        ConfText.with("NodeName=x[1-3] NodeHostname=vm NodeAddr=10.0.0.[1-3] Port=[7001-7003]\n");
    assertEquals(List.of(), parsed.diagnostics());
    NodeConfig node = parsed.config().node("x3");
    assertEquals("vm", node.hostName());
    assertEquals("10.0.0.3", node.address());
    assertEquals(7003, node.port());
    assertEquals(7002, ConfText.with("NodeName=x[1-2] Port=7001-7002").config().node("x2").port());
    assertEquals(7001, ConfText.with("NodeName=x[1-2] Port=7001").config().node("x2").port());
    assertEquals(
        List.of("5 Port: 2 values for 3 nodes"), errors("NodeName=x[1-3] Port=7001-7002\n"));
    assertEquals(
        List.of("5 NodeAddr: 2 values for 3 nodes"), errors("NodeName=x[1-3] NodeAddr=a,b\n"));
    assertEquals(
        List.of("5 Port: value (70000) is not a port from 1 to 65535"),
        errors("NodeName=x Port=70000\n"));
  }

  @Test
  void processorsFollowFromOneAnother() {
    assertEquals(new Shape(4, 1, 4, 1, 1), node("CPUs=4").shape());
    assertEquals(
        new Shape(64, 1, 2, 16, 2), node("Sockets=2 CoresPerSocket=16 ThreadsPerCore=2").shape());
    assertEquals(
        new Shape(32, 1, 2, 16, 2),
        node("CPUs=32 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2").shape());
    assertEquals(new Shape(8, 1, 2, 4, 1), node("Procs=8 CoresPerSocket=4").shape());
    assertEquals(
        new Shape(16, 2, 4, 4, 1), node("Boards=2 SocketsPerBoard=2 CoresPerSocket=4").shape());
  }

  @Test
  void processorsThatDoNotAgreeAreCountedAnew() {
    ParsedConfig parsed = ConfText.with("NodeName=x CPUs=5 Sockets=2 CoresPerSocket=4\n");
    assertEquals(List.of(), parsed.errors());
    assertEquals(1, ConfText.found(parsed, Severity.WARNING).size());
    assertEquals("Write CPUs=8, which is assumed", parsed.diagnostics().getFirst().remedy());
    assertEquals(8, parsed.config().node("x").shape().cpus());
    assertEquals(
        List.of("5 CPUs: 1073676289 CPUs in one node"),
        errors("NodeName=x CPUs=1 Sockets=32767 CoresPerSocket=32767\n"));
  }

  @Test
  void defaultsAddUp() {
    ParsedConfig parsed =
        ConfText.alone(
            """
            ClusterName=c
            SlurmctldHost=h
            NodeName=DEFAULT RealMemory=100 Sockets=2 CoresPerSocket=16 Weight=60
            NodeName=a Feature=x,y
            NodeName=DEFAULT CPUs=40 CoresPerSocket=20
            NodeName=b Weight=7
            PartitionName=DEFAULT MaxTime=72:00:00 DefaultTime=24:00:00
            PartitionName=p Nodes=a
            PartitionName=q Nodes=b MaxTime=01:00:00 DefaultTime=30
            """);
    assertEquals(List.of(), parsed.diagnostics());
    assertEquals(32, parsed.config().node("a").shape().cpus());
    assertEquals(List.of("x", "y"), parsed.config().node("a").features());
    assertEquals(40, parsed.config().node("b").shape().cpus());
    assertEquals(100, parsed.config().node("b").realMemoryMib());
    assertEquals(7, parsed.config().node("b").weight());
    assertEquals(Duration.ofDays(3), parsed.config().partition("p").limits().maxTime());
    assertEquals(Duration.ofMinutes(30), parsed.config().partition("q").limits().defaultTime());
    assertNull(parsed.config().defaultPartition());
  }

  @Test
  void memoryMayHaveAUnit() {
    assertEquals(4096, node("RealMemory=4G").realMemoryMib());
    assertEquals(1_048_576, node("RealMemory=1T").realMemoryMib());
    assertEquals(2, node("RealMemory=1025K").realMemoryMib());
    assertEquals(1, warnings("NodeName=x RealMemory=4G\n").size());
    assertEquals(
        List.of("5 RealMemory: value (4X) is not an amount of memory in megabytes"),
        errors("NodeName=x RealMemory=4X\n"));
  }

  @Test
  void nodesThatCannotBeAreErrors() {
    assertEquals(
        List.of("5 NodeName: Duplicated NodeName n1 in the config file"), errors("NodeName=n1\n"));
    assertEquals(List.of("5 NodeName: ALL is reserved for all nodes"), errors("NodeName=ALL\n"));
    assertEquals(
        List.of("5 NodeName: Missing ']' in host list '[1-3' (character 2 of the list)"),
        errors("NodeName=x[1-3\n"));
    assertEquals(
        List.of("5 State: Invalid state BROKEN for NodeName x"),
        errors("NodeName=x State=BROKEN\n"));
    assertTrue(errors("NodeName=x[1-1000000]\n").getFirst().contains("Too many hosts in range"));
  }

  @Test
  void nodesCanBeMarkedDown() {
    ParsedConfig parsed =
        ConfText.with("DownNodes=n[2-3] Reason=\"no power\"\nDownNodes=n4 State=DRAIN\n");
    assertEquals(List.of(), parsed.diagnostics());
    assertEquals(NodeConfig.State.UNKNOWN, parsed.config().node("n1").state());
    assertEquals(NodeConfig.State.DOWN, parsed.config().node("n2").state());
    assertEquals("no power", parsed.config().node("n3").reason());
    assertEquals(NodeConfig.State.DRAIN, parsed.config().node("n4").state());
    assertEquals(List.of("5 DownNodes: node x is not defined"), errors("DownNodes=x State=DOWN\n"));
    assertEquals(
        List.of("5 State: Invalid state UP for DownNodes n4"), errors("DownNodes=n4 State=UP\n"));
  }

  @Test
  void pathsNameTheNode() {
    NodeConfig node = node("NodeHostname=vm");
    assertEquals("/s/x-vm/%z%", node.fill("/s/%n-%h/%z%%"));
  }

  @Test
  void aPartitionHasDefaults() {
    PartitionConfig partition = partition("");
    assertEquals(List.of(), partition.nodes());
    assertFalse(partition.isDefault());
    assertEquals(PartitionConfig.State.UP, partition.state());
    assertNull(partition.limits().maxTime());
    assertEquals(Integer.MAX_VALUE, partition.limits().maxNodes());
    assertEquals(1, partition.priorityTier());
    assertEquals(1, partition.priorityJobFactor());
    assertEquals(PartitionConfig.OverSubscribe.Mode.NO, partition.sharing().mode());
    assertNull(partition.overTimeLimit());
    assertEquals(List.of(), partition.access().allowGroups());
  }

  @Test
  void partitionsAreReadAsWritten() {
    PartitionConfig partition =
        partition(
            "Nodes=n[3,1] MaxTime=1-0 DefaultTime=90 MaxNodes=2 MinNodes=1 State=drain"
                + " AllowGroups=a,b AllowAccounts=ALL DenyAccounts=c RootOnly=YES Hidden=yes"
                + " PriorityTier=3 OverSubscribe=EXCLUSIVE DefMemPerNode=500 MaxMemPerCPU=100"
                + " MaxCPUsPerNode=3 OverTimeLimit=5 DisableRootJobs=1");
    assertEquals(List.of("n1", "n3"), partition.nodes());
    assertEquals(Duration.ofDays(1), partition.limits().maxTime());
    assertEquals(Duration.ofMinutes(90), partition.limits().defaultTime());
    assertEquals(2, partition.limits().maxNodes());
    assertEquals(3, partition.limits().maxCpusPerNode());
    assertEquals(PartitionConfig.State.DRAIN, partition.state());
    assertEquals(List.of("a", "b"), partition.access().allowGroups());
    assertEquals(List.of(), partition.access().allowAccounts());
    assertEquals(List.of("c"), partition.access().denyAccounts());
    assertTrue(partition.access().rootOnly());
    assertTrue(partition.access().disableRootJobs());
    assertTrue(partition.hidden());
    assertEquals(3, partition.priorityTier());
    assertEquals(PartitionConfig.OverSubscribe.Mode.EXCLUSIVE, partition.sharing().mode());
    assertEquals(MemoryLimit.Scope.NODE, partition.defaultMemory().scope());
    assertEquals(MemoryLimit.Scope.CPU, partition.maxMemory().scope());
    assertEquals(Duration.ofMinutes(5), partition.overTimeLimit());
    assertEquals(
        PartitionConfig.OverSubscribe.Mode.EXCLUSIVE, partition("Exclusive=NODE").sharing().mode());
    assertTrue(partition("Exclusive=USER").sharing().oneUser());
    assertTrue(partition("ExclusiveUser=yes OverSubscribe=YES:2").sharing().oneUser());
    assertTrue(partition("ReqResv=yes").access().requiresReservation());
    assertTrue(
        ConfText.with("DisableRootJobs=yes")
            .config()
            .partition("debug")
            .access()
            .disableRootJobs());
  }

  @Test
  void setsOfNodesStandForThem() {
    ParsedConfig parsed =
        ConfText.with(
            """
            PartitionName=x Nodes=gpu,n1
            NodeName=g[1-2] Features=a100,ib
            NodeSet=gpu Feature=a100
            NodeSet=both Feature=ib Nodes=n4
            PartitionName=y Nodes=both
            PartitionName=z Nodes=feature{ib}
            PartitionName=empty Nodes=""
            """);
    assertEquals(List.of(), parsed.diagnostics());
    assertEquals(List.of("n1", "g1", "g2"), parsed.config().partition("x").nodes());
    assertEquals(List.of("n4", "g1", "g2"), parsed.config().partition("y").nodes());
    assertEquals(List.of("g1", "g2"), parsed.config().partition("z").nodes());
    assertEquals(List.of(), parsed.config().partition("empty").nodes());
    assertEquals(List.of("5 NodeSet: the name n1 is taken"), errors("NodeSet=n1 Nodes=n2\n"));
  }

  @Test
  void partitionsThatCannotBeAreErrors() {
    assertEquals(
        List.of("5 Nodes: Invalid node names in partition x: n[5-9],y not defined"),
        errors("PartitionName=x Nodes=n[1-9],y\n"));
    assertEquals(
        List.of("5 State: Bad value OPEN for State"), errors("PartitionName=x State=OPEN\n"));
    assertEquals(
        List.of("5 MaxTime: value (1:2:3:4) is not a time: MINUTES, [D-]HH:MM:SS or UNLIMITED"),
        errors("PartitionName=x MaxTime=1:2:3:4\n"));
    assertEquals(
        List.of("5 OverSubscribe: value (MAYBE) is not NO, EXCLUSIVE, YES[:JOBS] or FORCE[:JOBS]"),
        errors("PartitionName=x OverSubscribe=maybe\n"));
    assertEquals(
        List.of("5 Default: changing default partition from debug to x"),
        warnings("PartitionName=x Default=YES\n"));
    assertEquals(
        List.of("5 PartitionName: duplicate entry for partition debug, ignored"),
        warnings("PartitionName=debug\n"));
    ParsedConfig two = ConfText.with("PartitionName=x Default=YES\n");
    assertEquals("x", two.config().defaultPartition().name());
    assertFalse(two.config().partition("debug").isDefault());
  }

  @Test
  void timesHaveManyForms() {
    assertEquals(Duration.ofMinutes(90), partition("MaxTime=90").limits().maxTime());
    assertEquals(Duration.ofMinutes(2), partition("MaxTime=1:30").limits().maxTime());
    assertEquals(Duration.ofMinutes(61), partition("MaxTime=1:0:30").limits().maxTime());
    assertEquals(Duration.ofHours(50), partition("MaxTime=2-2").limits().maxTime());
    assertEquals(Duration.ofMinutes(1445), partition("MaxTime=1-0:5").limits().maxTime());
    assertNull(partition("MaxTime=INFINITE").limits().maxTime());
    assertNull(partition("MaxTime=unlimited").limits().maxTime());
  }
}
