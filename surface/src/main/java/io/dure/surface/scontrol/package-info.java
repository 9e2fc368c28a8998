/** The words of scontrol: what can be asked for, and how update, create and delete are read. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.scontrol;
