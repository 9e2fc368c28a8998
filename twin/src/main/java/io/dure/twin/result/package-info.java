/** What comes of a replay: starts, ends and waits of its jobs, recorded as they happen. */
@org.jspecify.annotations.NullMarked
package io.dure.twin.result;
