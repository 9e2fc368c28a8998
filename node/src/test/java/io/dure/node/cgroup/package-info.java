/** Control groups: real ones where the tests run as root, imitated trees elsewhere. */
package io.dure.node.cgroup;
