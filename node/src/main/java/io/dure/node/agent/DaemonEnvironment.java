package io.dure.node.agent;

import io.dure.host.log.DaemonLog;
import io.dure.host.user.UserDatabase;
import io.dure.model.config.NodeConfig;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeMetrics;
import io.dure.node.peer.Peers;
import io.dure.node.usage.NodeMeters;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the daemon stands on.
 *
 * @param facts what the machine is; asked at each registration
 * @param load how busy it is now
 * @param meters tell what steps use
 * @param dynamic the node as it describes itself, null for a node of the configuration
 * @param bootId the kernel's boot id
 * @param peers the daemons of other nodes
 * @param shutdown called when the controller wants this daemon to end; returns at once
 * @param reconfigure called when the controller wants the configuration read again; likewise
 * @param reboot called when the controller wants the machine booted; likewise
 * @param heap bytes that the heap takes now, this node's part of them
 * @param giveBack called when memory that work has left behind may be given back; likewise
 */
public record DaemonEnvironment(
    Supplier<NodeFacts> facts,
    Supplier<NodeMetrics> load,
    NodeMeters meters,
    @Nullable NodeConfig dynamic,
    String bootId,
    UserDatabase users,
    DaemonLog log,
    DaemonClocks clocks,
    Peers peers,
    Runnable shutdown,
    Runnable reconfigure,
    Runnable reboot,
    LongSupplier heap,
    Runnable giveBack) {}
