/** What people see: jobs, nodes and partitions as messages, made from an immutable state. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.view;
