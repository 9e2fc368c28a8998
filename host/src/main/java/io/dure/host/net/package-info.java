/** Connections between programs: frames over unix sockets and TLS, and who is at the other end. */
@org.jspecify.annotations.NullMarked
package io.dure.host.net;
