package io.dure.controller.replica;

import io.microraft.RaftEndpoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A member as MicroRaft knows it. */
record Endpoint(Member member) implements RaftEndpoint {
  @Override
  public Object getId() {
    return member.toString();
  }

  static Member memberOf(RaftEndpoint endpoint) {
    return ((Endpoint) endpoint).member();
  }

  static List<Member> membersOf(Collection<RaftEndpoint> endpoints) {
    List<Member> members = new ArrayList<>(endpoints.size());
    for (RaftEndpoint endpoint : endpoints) {
      members.add(memberOf(endpoint));
    }
    return List.copyOf(members);
  }

  static List<RaftEndpoint> of(List<Member> members) {
    List<RaftEndpoint> endpoints = new ArrayList<>(members.size());
    for (Member member : members) {
      endpoints.add(new Endpoint(member));
    }
    return endpoints;
  }
}
