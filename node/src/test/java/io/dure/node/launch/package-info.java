/** Real steps under real shepherds. */
package io.dure.node.launch;
