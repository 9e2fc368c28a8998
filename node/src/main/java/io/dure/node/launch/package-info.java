/**
 * Starts batch steps through the shepherd, signals them, and learns how they ended, across
 * restarts.
 */
@NullMarked
package io.dure.node.launch;

import org.jspecify.annotations.NullMarked;
