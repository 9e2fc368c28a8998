/** The program that runs the commands of a machine's users, each with its caller's identity. */
@org.jspecify.annotations.NullMarked
package io.dure.agent;
