/** What requests do, by area: jobs, nodes, accounts, insight, administration; without transport. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.service;
