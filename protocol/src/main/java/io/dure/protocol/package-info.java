/**
 * What programs say to each other: requests, replies, and the messages between controller and
 * nodes.
 */
@org.jspecify.annotations.NullMarked
package io.dure.protocol;
