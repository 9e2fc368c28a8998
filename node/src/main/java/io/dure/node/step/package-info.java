/** How numbered steps reach this node: the local socket, the credential, the spawner. */
@org.jspecify.annotations.NullMarked
package io.dure.node.step;
