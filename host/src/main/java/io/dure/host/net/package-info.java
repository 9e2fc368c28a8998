/** Connections between programs: frames over unix sockets and TLS, and the identity of peers. */
@org.jspecify.annotations.NullMarked
package io.dure.host.net;
