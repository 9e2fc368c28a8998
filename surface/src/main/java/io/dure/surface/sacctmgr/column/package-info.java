/** The columns of what sacctmgr lists. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.sacctmgr.column;
