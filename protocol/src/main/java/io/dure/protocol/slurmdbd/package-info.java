/** What controllers and the daemon that keeps the books of several clusters say to each other. */
@org.jspecify.annotations.NullMarked
package io.dure.protocol.slurmdbd;
