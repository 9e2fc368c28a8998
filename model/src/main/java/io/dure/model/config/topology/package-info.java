/** How a network joins the nodes, as topology.conf describes it. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.topology;
